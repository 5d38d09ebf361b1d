#include <polyad/base/error.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/problems/ingredients.hpp>

#include <boost/random/discrete_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace polyad {

namespace {

constexpr double most_events = 1e9;
constexpr std::uint64_t events_a_task = 1 << 16;

double poisson_count(Generator& generator, double mean) {
  if (!(mean > 0)) return 0;
  return static_cast<double>(boost::random::poisson_distribution<std::int64_t>(mean)(generator));
}

double component_total(const KTensor& model, std::size_t j) {
  double product = model.weights[j];
  for (std::size_t k = 0; k < model.modes(); ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < model.factors.rows(k); ++i) sum += model.factors.at(k, i, j);
    product *= sum;
  }
  return product;
}

struct Run {
  std::size_t component;
  std::uint64_t events;
};

/// Poisson numbers of events for the components, cut into runs short enough to share among threads.
std::vector<Run> runs_of(const KTensor& truth, std::uint64_t seed) {
  Generator generator = problem_generator(seed, ProblemStream::structure);
  std::vector<Run> runs;
  for (std::size_t j = 0; j < truth.rank(); ++j) {
    auto events = static_cast<std::uint64_t>(poisson_count(generator, component_total(truth, j)));
    for (; events > 0; events -= runs.back().events) runs.push_back({j, std::min(events, events_a_task)});
  }
  return runs;
}

Records draw_events(const KTensor& truth, std::uint64_t seed, std::size_t threads) {
  using Rows = boost::random::discrete_distribution<Index, double>;
  const std::size_t modes = truth.modes();
  std::vector<std::vector<Rows>> columns(truth.rank());
  for (std::size_t j = 0; j < truth.rank(); ++j) {
    for (std::size_t k = 0; k < modes; ++k) {
      std::vector<double> column(truth.factors.rows(k));
      for (std::size_t i = 0; i < column.size(); ++i) column[i] = truth.factors.at(k, i, j);
      columns[j].emplace_back(column.begin(), column.end());
    }
  }
  const std::vector<Run> runs = runs_of(truth, seed);
  std::vector<Records> parts(runs.size(), Records(modes));
  parallel_tasks(runs.size(), threads, [&](std::size_t task) {
    Generator generator = problem_generator(seed, ProblemStream::values, task);
    const auto& column = columns[runs[task].component];
    std::array<Index, max_modes> index{};
    parts[task].reserve(runs[task].events);
    for (std::uint64_t event = 0; event < runs[task].events; ++event) {
      for (std::size_t k = 0; k < modes; ++k) index[k] = column[k](generator);
      parts[task].append(index.data(), 1.0);
    }
  });
  Records events(modes);
  std::size_t count = 0;
  for (const Records& part : parts) count += part.size();
  events.reserve(count);
  for (Records& part : parts) {
    for (std::size_t record = 0; record < part.size(); ++record) events.append(part.index(record), 1.0);
    part = Records(modes);
  }
  return events;
}

Records draw_cells(const KTensor& truth, const IndexSpace& space, std::uint64_t seed, std::size_t threads) {
  const AlignedVector<double> counts =
      draw_dense(truth, space, seed, threads, [](Generator& generator, std::span<double> cells) {
        for (double& cell : cells) cell = poisson_count(generator, cell);
      });
  Records out(space.modes());
  std::array<Index, max_modes> index{};
  for (std::uint64_t cell = 0; cell < counts.size(); ++cell) {
    if (counts[cell] != 0) out.append(index.data(), counts[cell]);
    for (std::size_t k = space.modes(); k-- > 0;) {
      if (++index[k] < space.extent(k)) break;
      index[k] = 0;
    }
  }
  return out;
}

}  // namespace

double model_total(const KTensor& model) {
  double total = 0;
  for (std::size_t j = 0; j < model.rank(); ++j) total += component_total(model, j);
  return total;
}

Records draw_poisson(const KTensor& truth, const IndexSpace& space, std::uint64_t seed, std::size_t threads) {
  const double total = model_total(truth);
  if (std::min(total, space.cells()) > most_events) {
    fail(ErrorKind::usage, "{:.3g} expected counts are more than {:.0e}; lower the total or the density", total,
         most_events);
  }
  return total < space.cells() ? draw_events(truth, seed, thread_count(threads))
                               : draw_cells(truth, space, seed, thread_count(threads));
}

}  // namespace polyad
