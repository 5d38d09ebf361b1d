#include <polyad/solve/rows/solve_mode.hpp>

#include <polyad/base/parallel.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

constexpr std::size_t most_tasks = 1024;
constexpr double cells_a_task = 20000;

// Fixed ranges of rows with about equal work, by the data alone.
std::vector<std::size_t> row_ranges(const ModeRows& rows) {
  const std::size_t n = rows.rows();
  const auto work = [&](std::size_t row) {
    return static_cast<double>(rows.cells().row_begin[row] + row * (rows.shared() + 1));
  };
  const double all = work(n);
  const auto tasks = static_cast<std::size_t>(std::clamp(all / cells_a_task, 1.0, static_cast<double>(most_tasks)));
  std::vector<std::size_t> begin = {0};
  for (std::size_t row = 1; row < n; ++row) {
    if (work(row) >= all * static_cast<double>(begin.size()) / static_cast<double>(tasks)) begin.push_back(row);
  }
  begin.push_back(n);
  return begin;
}

}  // namespace

SolvedRows solve_mode(const ModeRows& rows, const std::vector<double>& start, const RowNewtonSettings& settings,
                      std::size_t threads, const Monitor& monitor) {
  const std::size_t n = rows.rows();
  const std::size_t mode = rows.mode();
  SolvedRows result{rows.model(), std::vector<RowEnd>(n), std::vector<RowState>(n, RowState::not_begun), 0};
  const double nothing = std::clamp(0.0, settings.lower, settings.upper);
  const std::vector<std::size_t> ranges = row_ranges(rows);
  parallel_tasks(ranges.size() - 1, threads, [&](std::size_t task) {
    RowObjective objective(rows);
    RowNewton newton(objective, settings);
    for (std::size_t row = ranges[task]; row < ranges[task + 1]; ++row) {
      if (monitor.interrupted()) return;
      double* b = result.factors.row(mode, row);
      std::fill_n(b, objective.stride(), 0.0);
      if (rows.observed(row) == 0) {
        std::fill_n(b, objective.rank(), nothing);
        result.states[row] = RowState::no_data;
        continue;
      }
      std::copy_n(start.data(), objective.rank(), b);
      objective.choose(row);
      result.ends[row] = newton.solve(b);
      const bool solved = result.ends[row].residual <= settings.tolerance;
      result.states[row] = solved ? RowState::solved : RowState::stopped;
    }
  });
  for (std::size_t row = 0; row < n; ++row) {
    if (result.states[row] == RowState::solved || result.states[row] == RowState::stopped) {
      result.worst_residual = std::max(result.worst_residual, result.ends[row].residual);
    }
  }
  return result;
}

namespace {

constexpr std::size_t tasks_of_any_rows = 64;

// Fixed ranges of rows, whatever the threads.
void for_ranges(std::size_t rows, std::size_t threads, const std::function<void(std::size_t, std::size_t)>& work) {
  const std::size_t tasks = std::min(rows, tasks_of_any_rows);
  parallel_tasks(tasks, threads, [&](std::size_t task) { work(rows * task / tasks, rows * (task + 1) / tasks); });
}

}  // namespace

void refine_mode(const RowsProblem& problem, std::size_t mode, const RowNewtonSettings& settings, std::size_t threads,
                 const Monitor& monitor, Factors& factors) {
  for_ranges(problem.rows, threads, [&](std::size_t begin, std::size_t end) {
    const std::unique_ptr<RowFunction> objective = problem.make();
    RowNewton newton(*objective, settings);
    for (std::size_t row = begin; row < end && !monitor.interrupted(); ++row) {
      objective->choose(row);
      newton.solve(factors.row(mode, row));
    }
  });
}

std::vector<double> row_values(const RowsProblem& problem, std::size_t mode, std::size_t threads,
                               const Factors& factors) {
  std::vector<double> values(problem.rows);
  for_ranges(problem.rows, threads, [&](std::size_t begin, std::size_t end) {
    const std::unique_ptr<RowFunction> objective = problem.make();
    RowPoint point(objective->stride());
    for (std::size_t row = begin; row < end; ++row) {
      objective->choose(row);
      std::copy_n(factors.row(mode, row), objective->stride(), point.b.data());
      objective->evaluate(point, true);
      values[row] = point.f;
    }
  });
  return values;
}

}  // namespace polyad
