#include <polyad/sample/importance/leave_one_out.hpp>

#include <polyad/base/math.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/sample/importance/cell_sums.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace polyad {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();  // the logarithm of 0

// Fewer entries than this are not worth waking threads for.
constexpr std::size_t entries_for_threads = 20'000;

Index mask_if(bool condition) {
  return -static_cast<Index>(condition);
}

// log n_k + sum_{l != k} log S_l(j), for all (k, j).
std::vector<double> log_component_weights(const Box& box, const std::vector<double>& log_sums, std::size_t rank) {
  const std::size_t d = box.modes();
  std::vector<double> weights(d * rank);
  for (std::size_t k = 0; k < d; ++k) {
    for (std::size_t j = 0; j < rank; ++j) {
      double log_weight = math::log(static_cast<double>(box.extent[k]));
      for (std::size_t l = 0; l < d; ++l) {
        if (l != k) log_weight += log_sums[l * rank + j];
      }
      weights[k * rank + j] = log_weight;
    }
  }
  return weights;
}

std::vector<detail::DrawnMode> numbers_of(const Box& box, std::size_t components, std::uint32_t& words) {
  std::vector<detail::DrawnMode> numbers;
  words = 0;
  const auto add = [&](std::uint64_t extent, bool two_words) {
    numbers.push_back({0, static_cast<std::uint32_t>(extent), words, two_words});
    words += two_words ? 2 : 1;
  };
  add(components, components > one_word_extent);
  add(coins, false);
  for (const std::uint64_t extent : box.extent) {
    add(extent, extent > one_word_extent);
    add(coins, false);
  }
  return numbers;
}

}  // namespace

// Column j of one mode within the box: its table, its probabilities and the logarithm of its sum.
void LeaveOneOut::fill_column(const Factors& model, std::size_t mode, std::size_t column, const Box& box,
                              double& log_sum) {
  const std::size_t n = box.extent[mode];
  const std::size_t low = box.low[mode];
  std::vector<double> weights(n);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = std::abs(model.at(mode, low + i, column));
    weights[i] = std::isfinite(a) ? a : 0.0;
    largest = std::max(largest, weights[i]);
  }
  double sum = 0;
  for (const double w : weights) sum += largest > 0 ? w / largest : 0.0;
  log_sum = largest > 0 ? math::log(largest) + math::log(sum) : nothing;
  AliasEntry* const table = tables_[mode].data() + column * model.rows(mode) + low;
  make_alias_table(weights, {table, n});
  for (std::size_t i = 0; i < n; ++i) probabilities_.at(mode, low + i, column) = weights[i];
}

void LeaveOneOut::fill_components(Part& part, const std::vector<double>& log_weights, double log_scale,
                                  double uniform_share) {
  const std::size_t rank = probabilities_.rank();
  const std::size_t stride = probabilities_.stride();
  const std::size_t d = part.box.modes();
  std::vector<double> weights(log_weights.size() + 1);
  for (std::size_t c = 0; c < log_weights.size(); ++c) {
    weights[c] = log_weights[c] == nothing ? 0.0 : math::exp(log_weights[c] - log_scale);
    part.mass += weights[c];
  }
  const bool uniform_only = !(part.mass > 0);
  for (double& w : weights) w = uniform_only ? 0.0 : (1.0 - uniform_share) * w / part.mass;
  weights.back() = uniform_only ? 1.0 : uniform_share;

  part.components.resize(weights.size());
  make_alias_table(weights, part.components);
  part.uniform = weights.back() / part.box.cells();
  part.coefficients.assign(d * stride, 0.0);
  for (std::size_t k = 0; k < d; ++k) {
    for (std::size_t j = 0; j < rank; ++j) {
      part.coefficients[k * stride + j] = weights[k * rank + j] / static_cast<double>(part.box.extent[k]);
    }
  }
  std::uint32_t words = 0;
  part.numbers = numbers_of(part.box, weights.size(), words);
  part.blocks = (words + 3) / 4;
}

LeaveOneOut::LeaveOneOut(const Factors& model, std::size_t mode, const std::vector<PartCount>& parts,
                         double uniform_share, std::size_t threads)
    : probabilities_(model.extents(), model.rank()), tables_(model.modes()), parts_(parts.size()) {
  const std::size_t d = model.modes();
  const std::size_t rank = model.rank();
  std::size_t entries = 0;
  for (std::size_t k = 0; k < d; ++k) {
    tables_[k].resize(model.rows(k) * rank);
    entries += tables_[k].size();
  }
  for (std::uint32_t k = 0; k < d; ++k) {
    for (std::uint32_t j = 0; j < rank; ++j) meanings_.push_back({k, j});
  }
  meanings_.push_back({nothing_drawn, 0});
  // Of each part: those of modes that are not divided are equal.
  std::vector<std::vector<double>> log_sums(parts.size(), std::vector<double>(d * rank));
  parallel_tasks(d * rank, entries < entries_for_threads ? 1 : threads, [&](std::size_t task) {
    const std::size_t k = task / rank;
    for (std::size_t l = 0; l < parts.size(); ++l) {
      if (k == mode || l == 0) {
        fill_column(model, k, task % rank, parts[l].box, log_sums[l][task]);
      } else {
        log_sums[l][task] = log_sums[0][task];
      }
    }
  });

  std::vector<std::vector<double>> log_weights;
  double log_scale = nothing;
  for (std::size_t l = 0; l < parts.size(); ++l) {
    parts_[l].box = parts[l].box;
    log_weights.push_back(log_component_weights(parts[l].box, log_sums[l], rank));
    for (const double w : log_weights.back()) log_scale = std::max(log_scale, w);
  }
  for (std::size_t l = 0; l < parts.size(); ++l) fill_components(parts_[l], log_weights[l], log_scale, uniform_share);
}

void LeaveOneOut::draw(const DrawKey& key, std::size_t first, std::size_t count, Batch& batch) const {
  constexpr std::size_t at_once = 64;
  const Part& part = parts_[key.part];
  std::array<std::array<Index, at_once>, 2 * max_modes + 2> drawn;
  std::array<Index*, 2 * max_modes + 2> out;
  for (std::size_t n = 0; n < out.size(); ++n) out[n] = drawn[n].data();
  std::array<Meaning, at_once> meaning;
  for (std::size_t done = 0; done < count; done += at_once) {
    const std::size_t here = std::min(at_once, count - done);
    const detail::DrawnRange range{key.draw, key.part, static_cast<std::uint32_t>(first + done), 0, part.blocks, here};
    detail::draw_indices(key.stream, range, part.numbers, out.data());
    for (std::size_t t = 0; t < here; ++t) {
      meaning[t] = meanings_[item_of(part.components.data(), drawn[0][t], drawn[1][t])];
    }
    for (std::size_t k = 0; k < part.box.modes(); ++k) {
      const std::size_t rows = probabilities_.rows(k);
      const Index low = part.box.low[k];
      const AliasEntry* const table = tables_[k].data() + low;
      const Index* const buckets = drawn[2 + 2 * k].data();
      const Index* const mode_coins = drawn[3 + 2 * k].data();
      Index* const to = batch.index[k].data() + first + done;
      for (std::size_t t = 0; t < here; ++t) {
        const AliasEntry entry = table[meaning[t].column * rows + buckets[t]];
        // A mode that is left out is drawn uniformly: the bucket itself. By masks, since nothing could predict a branch.
        const Index own = mask_if(meaning[t].left_out == k) | mask_if(meaning[t].left_out == nothing_drawn) |
                          mask_if(mode_coins[t] < entry.threshold);
        to[t] = low + ((buckets[t] & own) | (entry.alias & ~own));
      }
    }
  }
}

void LeaveOneOut::densities(std::size_t part, const Batch& batch, std::size_t first, std::size_t count,
                            double* q) const {
  const CellSums sums = cell_sums(probabilities_.modes(), probabilities_.stride());
  sums.density(CellRows(probabilities_, batch), parts_[part].coefficients.data(), first, count, q);
  for (std::size_t t = 0; t < count; ++t) q[t] += parts_[part].uniform;
}

}  // namespace polyad
