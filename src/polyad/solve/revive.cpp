#include <polyad/solve/revive.hpp>

#include <polyad/base/math.hpp>
#include <polyad/kernel/batch_objective.hpp>
#include <polyad/kernel/exact_objective.hpp>
#include <polyad/loss/best_value.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/solve/bounds.hpp>
#include <polyad/solve/starts.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace polyad {

namespace {

constexpr double looked_at = 2e6;         // cells at most, else those of the estimate
constexpr double evaluated = 4e6;         // cells of exact objectives, in all components and while a scale is searched
constexpr double least_rise = 1e-8;       // of the objective, when a component that does some work is left out
constexpr int most_scale_steps = 60;      // of a factor 4 each
constexpr double least_decrease = 1e-10;  // of the objective, for a round to count

// The cells that components are restarted from: all that are listed or observed where they are not too many.
Batch cells_to_look_at(const ReviveProblem& problem) {
  const SparseTensor* sparse = problem.tensor.sparse();
  if (sparse != nullptr && static_cast<double>(sparse->listed()) <= looked_at) {
    Batch batch;
    batch.resize(sparse->space().modes(), sparse->listed(), false);
    put_every_listed(*sparse, 0, batch);
    return batch;
  }
  if (sparse == nullptr && problem.tensor.observed() <= looked_at) return exhaustive_batch(problem.tensor);
  return estimate_batch(problem.tensor, problem.sample);
}

// What the search for a scale compares: the exact objective where it is cheap, else its estimate.
class Objective {
 public:
  Objective(const ReviveProblem& problem, double most_cells) : problem_(problem), most_cells_(most_cells) {}
  double operator()(const Factors& model) {
    if (!batch_) {
      const auto exact = exact_objective(model, problem_.tensor, problem_.loss, most_cells_, problem_.threads);
      if (exact) return *exact;
      batch_ = estimate_batch(problem_.tensor, problem_.sample);
    }
    return estimate(model, *batch_, problem_.loss, problem_.threads);
  }

 private:
  const ReviveProblem& problem_;
  const double most_cells_;
  std::optional<Batch> batch_;
};

double model_value(const Factors& model, const Batch& cells, std::size_t t) {
  double m = 0;
  for (std::size_t j = 0; j < model.rank(); ++j) {
    double product = 1;
    for (std::size_t k = 0; k < model.modes(); ++k) product *= model.at(k, cells.index[k][t], j);
    m += product;
  }
  return m;
}

// Each cell's deviance with the sign of the change that would lower it. Components that cannot be negative get the cells alone
// where more is wanted; fixed modes let a component act only where its column there is not 0.
std::vector<double> residuals(const Factors& model, const Batch& cells, const ReviveProblem& problem,
                              std::size_t component) {
  const std::size_t n = cells.size();
  const bool only_more = std::ranges::all_of(problem.segments, [](const Segment& s) { return s.lower >= 0; });
  std::vector<double> m(n), value(n), slope(n), least(n), out(n);
  for (std::size_t t = 0; t < n; ++t) m[t] = model_value(model, cells, t);
  problem.loss.values(n, cells.x.data(), m.data(), value.data());
  problem.loss.derivatives(n, cells.x.data(), m.data(), slope.data());
  LeastLoss(problem.loss).values(n, cells.x.data(), least.data());
  for (std::size_t t = 0; t < n; ++t) {
    double r = std::max(0.0, value[t] - least[t]) * cells.w[t];
    if (slope[t] > 0) r = -r;
    for (std::size_t k = 0; k < model.modes(); ++k) {
      if (problem.segments[k].fixed) r *= model.at(k, cells.index[k][t], component);
    }
    if ((only_more && r < 0) || !std::isfinite(r)) r = 0;
    out[t] = r;
  }
  return out;
}

// The cell explained worst among slices explained badly; nothing where all is explained.
std::optional<std::size_t> worst_cell(const Factors& shape, const Batch& cells, const std::vector<double>& residual) {
  std::vector<std::vector<double>> slices;
  for (std::size_t k = 0; k < shape.modes(); ++k) {
    std::vector<double>& sums = slices.emplace_back(shape.rows(k), 0.0);
    for (std::size_t t = 0; t < cells.size(); ++t) sums[cells.index[k][t]] += std::abs(residual[t]);
  }
  std::optional<std::size_t> worst;
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < cells.size(); ++t) {
    if (residual[t] == 0) continue;
    double badness = math::log(std::abs(residual[t]));
    for (std::size_t k = 0; k < shape.modes(); ++k) {
      badness += math::log(slices[k][cells.index[k][t]]) / static_cast<double>(shape.modes());
    }
    if (badness > highest) {
      highest = badness;
      worst = t;
    }
  }
  return worst;
}

// Columns of a component around a cell: for each index of a mode the mean residual of the cells that share most other indices
// with it, less where they share fewer. Cells that share none say nothing. Columns are to be flat rather than peaked: over many
// modes a peaked one leaves nothing for the cells around.
void put_columns(const Batch& cells, const std::vector<double>& residual, std::size_t seed,
                 const std::vector<Segment>& segments, std::size_t component, Factors& model) {
  const std::size_t d = model.modes();
  std::vector<std::uint8_t> shared(cells.size(), 0);
  for (std::size_t k = 0; k < d; ++k) {
    for (std::size_t t = 0; t < cells.size(); ++t) shared[t] += cells.index[k][t] == cells.index[k][seed] ? 1 : 0;
  }
  for (std::size_t k = 0; k < d; ++k) {
    if (segments[k].fixed) continue;
    const Index own = cells.index[k][seed];
    std::vector<double> column(model.rows(k), 0.0);
    std::vector<std::uint8_t> nearest(model.rows(k), 0);
    std::vector<double> count(model.rows(k), 0.0);
    for (std::size_t t = 0; t < cells.size(); ++t) {
      const Index i = cells.index[k][t];
      const auto others = static_cast<std::uint8_t>(shared[t] - (i == own ? 1 : 0));
      if (residual[t] == 0 || (others == 0 && d > 1) || others < nearest[i]) continue;
      if (others > nearest[i]) column[i] = count[i] = 0;
      nearest[i] = others;
      column[i] += residual[t];
      count[i] += 1;
    }
    double largest = 0;
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (count[i] == 0) continue;
      column[i] *= (d > 1 ? static_cast<double>(nearest[i]) / static_cast<double>(d - 1) : 1.0) / count[i];
      largest = std::max(largest, std::abs(column[i]));
    }
    // The seed's sign belongs to the component once, not once per mode.
    const double sign = residual[seed] < 0 ? -1.0 : 1.0;
    for (std::size_t i = 0; i < column.size(); ++i) model.at(k, i, component) = sign * column[i] / largest;
  }
}

void scale_component(Factors& model, const std::vector<Segment>& segments, std::size_t component, double factor) {
  const auto free_modes = std::ranges::count_if(segments, [](const Segment& s) { return !s.fixed; });
  const double each = math::pow(std::abs(factor), 1.0 / static_cast<double>(free_modes));
  double sign = factor < 0 ? -1.0 : 1.0;
  for (std::size_t k = 0; k < model.modes(); ++k) {
    if (segments[k].fixed) continue;
    for (std::size_t i = 0; i < model.rows(k); ++i) model.at(k, i, component) *= sign * each;
    sign = 1;
  }
}

// The scaled model with the lowest objective among powers of 4; nothing where none is below `without`.
std::optional<Factors> best_scaled(const Factors& model, const std::vector<Segment>& segments, std::size_t component,
                                   double first, double without, Objective& objective) {
  const auto at = [&](int power) {
    Factors scaled = model;
    scale_component(scaled, segments, component, first * math::pow(4.0, power));
    apply_bounds(scaled, segments);
    const double f = objective(scaled);
    return std::pair(std::isfinite(f) ? f : std::numeric_limits<double>::infinity(), std::move(scaled));
  };
  auto [lowest, best] = at(0);
  for (const int direction : {-1, 1}) {
    const double before = lowest;
    for (int n = 1; n <= most_scale_steps; ++n) {
      auto [f, scaled] = at(direction * n);
      // Far above the right scale nothing can be told but that less is better, also where all are infinite.
      if (!(f < lowest) && !(std::isinf(f) && direction < 0)) break;
      lowest = f;
      best = std::move(scaled);
    }
    if (lowest < before) break;
  }
  if (!(lowest < without - least_decrease * std::abs(without))) return std::nullopt;
  return best;
}

void clear_component(Factors& model, const std::vector<Segment>& segments, std::size_t component) {
  for (std::size_t k = 0; k < model.modes(); ++k) {
    if (segments[k].fixed) continue;
    for (std::size_t i = 0; i < model.rows(k); ++i) model.at(k, i, component) = 0;
  }
}

// The heavier of two copies takes the other's weight.
void merge_copy(Factors& model, const std::vector<Segment>& segments, const IdleComponents::Copy& copy) {
  double ratio = 1;
  for (std::size_t k = 0; k < model.modes(); ++k) {
    double own = 0, other = 0;
    for (std::size_t i = 0; i < model.rows(k); ++i) {
      own += model.at(k, i, copy.of) * model.at(k, i, copy.of);
      other += model.at(k, i, copy.component) * model.at(k, i, copy.component);
    }
    ratio *= std::sqrt(other / own);
  }
  scale_component(model, segments, copy.of, 1 + ratio);
}

}  // namespace

IdleComponents useless_components(const Factors& model, const ReviveProblem& problem) {
  IdleComponents idle = idle_components(KTensor(model));
  Objective objective(problem, evaluated / static_cast<double>(model.rank()));
  const double with_all = objective(model);
  if (!std::isfinite(with_all)) return idle;
  const auto known = [&](std::size_t j) {
    return std::ranges::count(idle.dead, j) > 0 ||
           std::ranges::count(idle.copies, j, &IdleComponents::Copy::component) > 0 ||
           std::ranges::count(idle.copies, j, &IdleComponents::Copy::of) > 0;
  };
  std::vector<std::size_t> more;
  Factors without;
  for (std::size_t j = 0; j < model.rank(); ++j) {
    if (known(j)) continue;
    without = model;
    for (std::size_t i = 0; i < model.rows(0); ++i) without.at(0, i, j) = 0;
    if (objective(without) - with_all <= least_rise * std::abs(with_all)) more.push_back(j);
  }
  idle.dead.insert(idle.dead.end(), more.begin(), more.end());
  std::ranges::sort(idle.dead);
  return idle;
}

std::optional<Factors> restarted_components(const Factors& model, const ReviveProblem& problem,
                                            const IdleComponents& idle, std::size_t most) {
  if (idle.empty() || std::ranges::all_of(problem.segments, &Segment::fixed)) return std::nullopt;
  const Batch cells = cells_to_look_at(problem);
  Objective objective(problem, evaluated);
  Factors now = model;
  std::vector<std::size_t> free_components(
      idle.dead.begin(), idle.dead.begin() + static_cast<std::ptrdiff_t>(std::min(most, idle.dead.size())));
  for (const IdleComponents::Copy& copy : idle.copies) {
    if (free_components.size() == most) break;
    merge_copy(now, problem.segments, copy);
    free_components.push_back(copy.component);
  }
  for (const std::size_t j : free_components) clear_component(now, problem.segments, j);
  apply_bounds(now, problem.segments);

  bool any = false;
  double without = objective(now);
  for (const std::size_t j : free_components) {
    const std::vector<double> residual = residuals(now, cells, problem, j);
    const auto seed = worst_cell(now, cells, residual);
    if (!seed) break;
    Factors with = now;
    put_columns(cells, residual, *seed, problem.segments, j, with);
    const double m = model_value(now, cells, *seed);
    const double wanted = cells.x[*seed] * problem.loss.data_scale() - m;
    const double first = std::max(std::abs(wanted), 1e-3 * (1 + std::abs(m))) * (residual[*seed] < 0 ? -1 : 1);
    auto scaled = best_scaled(with, problem.segments, j, first, without, objective);
    if (!scaled) continue;
    now = std::move(*scaled);
    without = objective(now);
    any = true;
  }
  if (!any) return std::nullopt;
  return now;
}

std::size_t revive(StartResult& best, const ReviveProblem& problem, std::size_t rounds,
                   const std::function<StartResult(Factors guess, std::size_t round)>& solve,
                   const std::function<bool()>& stop) {
  for (std::size_t round = 0; round < rounds; ++round) {
    if (stop()) return round;
    const IdleComponents idle = useless_components(best.factors, problem);
    const std::size_t left = rounds - round;
    const std::size_t now = (idle.dead.size() + idle.copies.size() + left - 1) / left;
    std::optional<Factors> guess = restarted_components(best.factors, problem, idle, now);
    if (!guess) return round;
    StartResult again = solve(std::move(*guess), round);
    const bool better =
        std::isfinite(again.estimate) && again.estimate < best.estimate - least_decrease * std::abs(best.estimate);
    if (!better) return round;
    continue_start(best, std::move(again));
  }
  return rounds;
}

}  // namespace polyad
