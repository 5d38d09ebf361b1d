#include <polyad/apply/births.hpp>

#include <polyad/apply/model_rows.hpp>
#include <polyad/solve/bounds.hpp>
#include <polyad/solve/revive.hpp>
#include <polyad/solve/rows/row_sum.hpp>
#include <polyad/solve/rows/solve_mode.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

namespace polyad {

namespace {

constexpr double errors_for_a_birth = 3;
constexpr std::size_t most_dividing_modes = 3;  // 8 blocks

std::vector<Index> every_other(std::uint64_t extent, Index first) {
  std::vector<Index> out;
  for (Index i = first; i < extent; i += 2) out.push_back(i);
  return out;
}

Factors with_one_more(const Factors& model) {
  Factors out(model.extents(), model.rank() + 1);
  for (std::size_t k = 0; k < model.modes(); ++k) {
    for (std::size_t i = 0; i < model.rows(k); ++i) std::copy_n(model.row(k, i), model.rank(), out.row(k, i));
  }
  return out;
}

// The last component started again from what is explained worst; nothing where that does not help.
std::optional<Factors> with_candidate(const UpdateSweeps& sweeps, const Tensor& tensor, const Factors& now) {
  const Factors wider = with_one_more(now);
  std::vector<Segment> segments = make_segments({}, sweeps.settings().lower[0], wider, tensor.labels());
  for (std::size_t k = 0; k < segments.size(); ++k) segments[k].lower = sweeps.settings().lower[k];
  const SampleOptions sample;
  return restarted_components(wider, {tensor, sweeps.loss(), segments, sample, sweeps.settings().threads},
                              {.dead = {now.rank()}, .copies = {}}, 1);
}

// The other modes that cells are divided by: the widest.
std::vector<std::size_t> dividing_modes(const Tensor& tensor, std::size_t slices) {
  std::vector<std::size_t> modes;
  for (std::size_t k = 0; k < tensor.space().modes(); ++k) {
    if (k != slices && tensor.space().extent(k) > 1) modes.push_back(k);
  }
  std::ranges::stable_sort(modes, [&](auto a, auto b) { return tensor.space().extent(a) > tensor.space().extent(b); });
  modes.resize(std::min(modes.size(), most_dividing_modes));
  return modes;
}

// A mode's indices in two halves, in both of which the component is about as strong: 0 1 1 0 by its strength.
std::array<std::vector<Index>, 2> halves(const Factors& model, std::size_t mode, std::size_t component) {
  std::vector<Index> order(model.rows(mode));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) {
    return std::abs(model.at(mode, a, component)) > std::abs(model.at(mode, b, component));
  });
  std::array<std::vector<Index>, 2> out;
  for (std::size_t n = 0; n < order.size(); ++n) out[(n % 4 == 1 || n % 4 == 2) ? 1 : 0].push_back(order[n]);
  for (auto& half : out) std::ranges::sort(half);
  return out;
}

// Cells of a product of halves. A cell belongs to the first part of a board or to the second by the parity of its halves.
struct Block {
  Tensor tensor;
  std::vector<std::pair<std::size_t, std::vector<Index>>> kept;
  bool odd = false;

  Factors of(Factors model) const {
    for (const auto& [mode, indices] : kept) model = part_of(model, mode, indices);
    return model;
  }
};

std::vector<Block> board(const Tensor& tensor, const Factors& model, std::size_t component, std::size_t slices) {
  std::vector<Block> blocks;
  blocks.push_back({tensor, {}, false});
  for (const std::size_t mode : dividing_modes(tensor, slices)) {
    const auto parts = halves(model, mode, component);
    std::vector<Block> finer;
    for (const Block& block : blocks) {
      for (const bool second : {false, true}) {
        Block half{part_of(block.tensor, mode, parts[second ? 1 : 0]), block.kept, block.odd != second};
        half.kept.emplace_back(mode, parts[second ? 1 : 0]);
        finer.push_back(std::move(half));
      }
    }
    blocks = std::move(finer);
  }
  return blocks;
}

// The loss of each slice in odd cells, its row found from the even ones.
std::vector<double> held_out_losses(const UpdateSweeps& sweeps, const std::vector<Block>& blocks, const Factors& model,
                                    std::vector<double> start, const Monitor& monitor) {
  const std::size_t slices = sweeps.settings().slices;
  const std::size_t threads = sweeps.settings().threads;
  const std::size_t count = blocks[0].tensor.space().extent(slices);
  start.resize(model.rank(), *std::ranges::max_element(start));
  Factors rows = with_new_rows(model, slices, count);
  for (std::size_t i = 0; i < count; ++i) std::ranges::copy(start, rows.row(slices, i));
  std::array<std::vector<std::unique_ptr<ModeRows>>, 2> parts;
  std::vector<Factors> factors;
  factors.reserve(blocks.size());
  for (const Block& block : blocks) {
    factors.push_back(block.of(rows));
    parts[block.odd ? 1 : 0].push_back(std::make_unique<ModeRows>(block.tensor, factors.back(), slices, sweeps.loss(),
                                                                  ModeRowsSettings{.seed = sweeps.settings().seed}));
  }
  const auto problem = [&](bool odd) {
    return RowsProblem{count, [&parts, odd] {
                         std::vector<RowSum::Part> sum;
                         for (const auto& part : parts[odd ? 1 : 0]) {
                           sum.push_back({std::make_unique<RowObjective>(*part), 1});
                         }
                         return std::make_unique<RowSum>(std::move(sum));
                       }};
  };
  RowNewtonSettings settings = sweeps.row_settings(slices);
  settings.warm = false;
  refine_mode(problem(false), slices, settings, threads, monitor, rows);
  return row_values(problem(true), slices, threads, rows);
}

// The mean of a - b and its standard error.
std::pair<double, double> mean_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double mean = 0, square = 0;
  const auto n = static_cast<double>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) mean += (a[i] - b[i]) / n;
  for (std::size_t i = 0; i < a.size(); ++i) square += std::pow(a[i] - b[i] - mean, 2);
  return {mean, std::sqrt(square / (n * std::max(1.0, n - 1)))};
}

}  // namespace

std::optional<Birth> try_birth(const UpdateSweeps& sweeps, const Tensor& tensor, const Factors& now,
                               const std::vector<double>& start, const Monitor& monitor) {
  const std::size_t slices = sweeps.settings().slices;
  const std::uint64_t count = tensor.space().extent(slices);
  if (count < least_slices_for_births || dividing_modes(tensor, slices).empty()) return std::nullopt;
  const auto learning = every_other(count, 0), judging = every_other(count, 1);
  const Tensor lesson = part_of(tensor, slices, learning);
  auto candidate = with_candidate(sweeps, lesson, part_of(now, slices, learning));
  if (!candidate || monitor.interrupted()) return std::nullopt;
  const Factors wider = sweeps.run(lesson, std::move(*candidate), monitor).now;
  const std::vector<Block> blocks = board(part_of(tensor, slices, judging), wider, wider.rank() - 1, slices);
  const std::vector<double> without = held_out_losses(sweeps, blocks, now, start, monitor);
  const std::vector<double> with = held_out_losses(sweeps, blocks, wider, start, monitor);
  if (monitor.interrupted()) return std::nullopt;

  const auto [mean, error] = mean_difference(without, with);
  if (!(mean > errors_for_a_birth * error)) return std::nullopt;
  Birth birth{with_new_rows(wider, slices, count), mean, error};
  std::vector<double> wider_start = start;
  wider_start.resize(wider.rank(), *std::ranges::max_element(start));
  sweeps.solve_slices(tensor, wider_start, birth.now, monitor);
  return birth;
}

std::vector<std::size_t> forgotten_components(const Factors& old, std::size_t slices,
                                              std::span<const double> remembered) {
  std::vector<double> size(old.rank(), 1.0), all(old.rank(), 1.0);
  for (std::size_t k = 0; k < old.modes(); ++k) {
    for (std::size_t j = 0; j < old.rank(); ++j) {
      double sum = 0, counted = 0;
      for (std::size_t i = 0; i < old.rows(k); ++i) {
        sum += std::pow(old.at(k, i, j), 2);
        counted += std::pow(old.at(k, i, j), 2) * (k == slices ? remembered[i] : 1.0);
      }
      size[j] *= std::sqrt(counted);
      all[j] *= std::sqrt(sum);
    }
  }
  const double largest = *std::ranges::max_element(all);
  std::vector<std::size_t> forgotten;
  for (std::size_t j = 0; j < old.rank(); ++j) {
    if (size[j] <= size_of_the_forgotten * largest) forgotten.push_back(j);
  }
  return forgotten;
}

bool is_dead(const UpdateSweeps& sweeps, const Tensor& tensor, const Factors& now, std::size_t component,
             const std::vector<double>& start, const Monitor& monitor) {
  const std::size_t slices = sweeps.settings().slices;
  const std::uint64_t count = tensor.space().extent(slices);
  if (now.rank() == 1 || count < least_slices_for_births || dividing_modes(tensor, slices).empty()) return false;
  const auto learning = every_other(count, 0), judging = every_other(count, 1);
  const Factors learnt = sweeps.run(part_of(tensor, slices, learning), part_of(now, slices, learning), monitor).now;
  const std::vector<Block> blocks = board(part_of(tensor, slices, judging), learnt, component, slices);
  const std::vector<double> with = held_out_losses(sweeps, blocks, learnt, start, monitor);
  const std::vector<double> rest = held_out_losses(sweeps, blocks, without(learnt, {component}), start, monitor);
  const auto [gain, error] = mean_difference(rest, with);
  return !monitor.interrupted() && !(gain > error);
}

Factors without(const Factors& model, const std::vector<std::size_t>& components) {
  Factors out(model.extents(), model.rank() - components.size());
  std::size_t to = 0;
  for (std::size_t j = 0; j < model.rank(); ++j) {
    if (std::ranges::find(components, j) != components.end()) continue;
    for (std::size_t k = 0; k < model.modes(); ++k) {
      for (std::size_t i = 0; i < model.rows(k); ++i) out.at(k, i, to) = model.at(k, i, j);
    }
    ++to;
  }
  return out;
}

}  // namespace polyad
