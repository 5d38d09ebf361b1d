// Divides data into what a fit may see and what it is judged on (polyad/fit.hpp).

#include <polyad/base/error.hpp>
#include <polyad/base/rng.hpp>
#include <polyad/base/text.hpp>
#include <polyad/fit.hpp>
#include <polyad/fit/holdout_rule.hpp>
#include <polyad/sample/draws/box.hpp>
#include <polyad/sample/samplers.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace polyad {

namespace {

// Zeros that may be held out: enough for a small standard error, and not more work for training than the nonzeros are.
constexpr double most_zeros = 2e5;
constexpr double most_zeros_per_nonzero = 4;
// Fewer say nothing.
constexpr std::size_t fewest_cells = 10;

/// What holding out leaves of each slice, and which slices must stay whole.
class Slices {
 public:
  explicit Slices(const IndexSpace& space) : all_(space.modes()), left_(space.modes()), kept_(space.modes()) {
    for (std::size_t k = 0; k < space.modes(); ++k) {
      all_[k].resize(space.extent(k));
      left_[k].resize(space.extent(k));
      kept_[k].resize(space.extent(k));
    }
  }

  void count(const Index* index, CellRole role) {
    for (std::size_t k = 0; k < all_.size(); ++k) {
      ++all_[k][index[k]];
      if (role == CellRole::training) ++left_[k][index[k]];
    }
  }
  /// After all cells were counted.
  void keep_those_that_would_be_empty() {
    for (std::size_t k = 0; k < all_.size(); ++k) {
      for (std::size_t i = 0; i < all_[k].size(); ++i) {
        kept_[k][i] = all_[k][i] == 1 || (all_[k][i] > 0 && left_[k][i] == 0);
        kept_count_ += kept_[k][i] ? 1 : 0;
      }
    }
  }
  bool keeps(const Index* index) const {
    if (kept_count_ == 0) return false;
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      if (kept_[k][index[k]]) return true;
    }
    return false;
  }
  std::uint64_t kept() const { return kept_count_; }
  /// Cells that lie in no kept slice.
  double other_cells() const {
    double cells = 1;
    for (const auto& mode : kept_) cells *= static_cast<double>(std::ranges::count(mode, false));
    return cells;
  }

 private:
  std::vector<std::vector<std::uint32_t>> all_, left_;
  std::vector<std::vector<bool>> kept_;
  std::uint64_t kept_count_ = 0;
};

/// One kind of cells: how many there are outside kept slices, and which of them training does not see.
struct Stratum {
  double cells = 0;
  Records held_out;  ///< with their values and own weights
  Records margin;

  explicit Stratum(std::size_t modes) : held_out(modes, true), margin(modes) {}

  void add(CellRole role, const Index* index, double value, double weight) {
    cells += 1;
    add_unseen(role, index, value, weight);
  }
  void add_unseen(CellRole role, const Index* index, double value, double weight) {
    if (role == CellRole::held_out) held_out.append(index, value, weight);
    if (role == CellRole::margin) margin.append(index, 0);
  }
  double share_left() const {
    return cells > 0 ? 1 - static_cast<double>(held_out.size() + margin.size()) / cells : 1.0;
  }
};

struct Division {
  Stratum listed;  ///< nonzeros, or all listed cells where the others are no data
  Stratum zeros;
  bool zeros_by_draws = false;  ///< at a rate of their own
};

void divide_dense(const DenseTensor& tensor, const HoldoutRule& rule, Slices& slices, Division& division) {
  const Box all = Box::whole(tensor.space());
  std::uint64_t cell = 0;
  for_each_cell(all, [&](const Index* index) {
    if (!tensor.missing(cell++)) slices.count(index, rule.role(index));
  });
  slices.keep_those_that_would_be_empty();
  cell = 0;
  for_each_cell(all, [&](const Index* index) {
    const std::uint64_t at = cell++;
    if (tensor.missing(at) || slices.keeps(index)) return;
    Stratum& stratum = tensor.value(at) != 0 ? division.listed : division.zeros;
    stratum.add(rule.role(index), index, tensor.value(at), tensor.weight(at));
  });
}

// Draws zeros among those that the rule holds out until there are `wanted`, or as many as chance gives in reasonable time.
void draw_zeros(const SparseTensor& tensor, const HoldoutRule& rule, const Slices& slices, double wanted,
                std::uint64_t seed, Stratum& zeros) {
  const IndexSpace& space = tensor.space();
  Generator generator{RandomStream(seed, Purpose::held_out)};
  CellSet chosen(space.modes(), static_cast<std::size_t>(wanted) + 1);
  std::array<Index, max_modes> index{};
  const double most_tries = 20 * wanted / rule.share() + 1e6;
  for (double tries = 0; tries < most_tries && static_cast<double>(zeros.held_out.size()) < wanted; ++tries) {
    for (std::size_t k = 0; k < space.modes(); ++k) {
      const std::uint64_t word = generator();
      index[k] = static_cast<Index>(
          bounded64(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32), space.extent(k)));
    }
    if (rule.role(index.data()) != CellRole::held_out || slices.keeps(index.data())) continue;
    if (tensor.is_listed(index.data()) || tensor.is_missing(index.data())) continue;
    if (chosen.find(zeros.held_out, index.data()) != CellSet::absent) continue;
    zeros.held_out.append(index.data(), 0, tensor.zero_weight());
    chosen.insert(zeros.held_out, static_cast<std::uint32_t>(zeros.held_out.size() - 1));
  }
}

void divide_sparse(const SparseTensor& tensor, const HoldoutRule& rule, std::uint64_t seed, Slices& slices,
                   Division& division) {
  const Records& records = tensor.records();
  for (std::size_t r = 0; r < records.size(); ++r) slices.count(records.index(r), rule.role(records.index(r)));
  slices.keep_those_that_would_be_empty();
  for (std::size_t r = 0; r < records.size(); ++r) {
    if (slices.keeps(records.index(r))) continue;
    division.listed.add(rule.role(records.index(r)), records.index(r), records.value(r), records.weight(r));
  }
  if (!zeros_are_data(tensor)) return;

  Stratum& zeros = division.zeros;
  zeros.cells = slices.other_cells() - division.listed.cells;
  for (std::size_t i = 0; i < tensor.missing_cells(); ++i) {
    if (!slices.keeps(tensor.missing().index(i))) zeros.cells -= 1;
  }
  const double most =
      std::max(most_zeros, most_zeros_per_nonzero * static_cast<double>(division.listed.held_out.size()));
  if (zeros.cells * rule.unseen_share() <= most) {
    for_each_cell(Box::whole(tensor.space()), [&](const Index* index) {
      const CellRole role = rule.role(index);
      if (role == CellRole::training || slices.keeps(index)) return;
      if (!tensor.is_listed(index) && !tensor.is_missing(index)) zeros.add_unseen(role, index, 0, tensor.zero_weight());
    });
  } else {
    division.zeros_by_draws = true;
    draw_zeros(tensor, rule, slices, std::min(most, zeros.cells * rule.share()), seed, zeros);
  }
}

// Whether the two strata are one: held out at the same rate, and one of them too small to have a weight of its own.
bool are_one(const Division& division) {
  const std::size_t smaller = std::min(division.listed.held_out.size(), division.zeros.held_out.size());
  return !division.zeros_by_draws && division.listed.cells > 0 && division.zeros.cells > 0 && smaller < fewest_cells;
}

// All held-out cells, with weights that let them stand for their stratum.
Records weighted_cells(const Division& division, std::size_t modes) {
  Records all(modes, true);
  const auto per_cell = [](double cells, std::size_t held_out) { return cells / static_cast<double>(held_out); };
  const double of_both = per_cell(division.listed.cells + division.zeros.cells,
                                  division.listed.held_out.size() + division.zeros.held_out.size());
  for (const Stratum* stratum : {&division.listed, &division.zeros}) {
    const Records& cells = stratum->held_out;
    const double each = are_one(division) ? of_both : per_cell(stratum->cells, cells.size());
    for (std::size_t r = 0; r < cells.size(); ++r) all.append(cells.index(r), cells.value(r), each * cells.weight(r));
  }
  return all;
}

void check_enough(const Division& division, const HoldoutOptions& options, const Slices& slices) {
  const std::size_t found = division.listed.held_out.size() + division.zeros.held_out.size();
  const double all = division.listed.cells + division.zeros.cells;
  const std::string kept =
      slices.kept() == 0 ? "" : fmt::format(" ({} slices have too few data to lose any)", format_count(slices.kept()));
  const bool no_nonzeros = division.zeros_by_draws && division.listed.held_out.size() < fewest_cells;
  if (found < fewest_cells || no_nonzeros) {
    fail(ErrorKind::data, "`holdout {}` leaves {} of {} {} to judge by, too few{}; hold out a larger share",
         options.cells, no_nonzeros ? division.listed.held_out.size() : found,
         format_count(no_nonzeros ? division.listed.cells : all), no_nonzeros ? "nonzeros" : "cells", kept);
  }
}

}  // namespace

HeldOutSplit hold_out(const Tensor& tensor, const HoldoutOptions& options) {
  check_something_observed(tensor);
  const std::size_t modes = tensor.space().modes();
  const HoldoutRule rule(options.cells, options.seed, tensor.space(), tensor.labels());
  Slices slices(tensor.space());
  Division division{Stratum(modes), Stratum(modes)};
  const SparseTensor* sparse = tensor.sparse();
  if (sparse != nullptr) {
    divide_sparse(*sparse, rule, options.seed, slices, division);
  } else {
    divide_dense(*tensor.dense(), rule, slices, division);
  }
  check_enough(division, options, slices);

  HeldOutSplit split{
      .training = tensor, .cells = weighted_cells(division, modes), .first_stratum = division.listed.held_out.size()};
  if (are_one(division)) split.first_stratum = split.cells.size();
  Records unseen(modes);
  unseen.reserve(split.cells.size() + division.listed.margin.size() + division.zeros.margin.size());
  for (std::size_t r = 0; r < split.cells.size(); ++r) unseen.append(split.cells.index(r), 0);
  unseen.append(division.listed.margin);
  unseen.append(division.zeros.margin);
  split.training.set_missing(unseen);
  if (division.zeros_by_draws) {
    split.training.set_zero_weight(sparse->zero_weight() * division.listed.share_left() / division.zeros.share_left());
  }
  if (rule.in_blocks()) {
    for (std::size_t r = 0; r < split.cells.size(); ++r) split.units.push_back(rule.unit(split.cells.index(r)));
  }

  const std::string listed = sparse != nullptr ? listed_noun(*sparse) : "nonzeros";
  split.description = fmt::format("{} {}", format_count(division.listed.held_out.size()), listed);
  if (division.zeros.cells > 0) {
    split.description += fmt::format(" and {} zeros", format_count(division.zeros.held_out.size()));
  }
  split.kept_slices = slices.kept();
  if (split.kept_slices > 0) {
    split.remarks.push_back(
        fmt::format("{} slices with one data cell, or that would have lost all their data, stay in training: held-out "
                    "figures are of "
                    "the other slices",
                    format_count(split.kept_slices)));
  }
  return split;
}

}  // namespace polyad
