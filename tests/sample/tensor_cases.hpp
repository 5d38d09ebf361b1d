#pragma once
// Small tensors of every kind a sampler must serve, and their observed cells by plain enumeration.

#include <polyad/base/rng.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace polyad::test {

struct TensorCase {
  std::string name;
  Tensor tensor;
};

/// An observed cell: what the exact objective sums over.
struct Cell {
  std::vector<Index> index;
  double x;
  double w;
};

inline std::vector<std::vector<Index>> all_cells(const IndexSpace& space);

namespace detail {

inline const std::vector<std::uint64_t> shape3 = {4, 3, 5};
inline const std::vector<std::uint64_t> shape4 = {3, 1, 4, 2};

inline double count_value(Generator& random) {
  return 1 + std::floor(4 * random.unit() * random.unit());
}
inline double some_weight(Generator& random) {
  return 0.25 + 2 * random.unit();
}

/// Cells chosen at random, and the first and the last.
inline std::vector<Cell> some_entries(const std::vector<std::uint64_t>& shape, double share, std::uint64_t seed) {
  Generator random(RandomStream(seed, Purpose::problem));
  const auto cells = all_cells(IndexSpace(shape));
  std::vector<Cell> entries;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool corner = i == 0 || i + 1 == cells.size();
    if (random.unit() >= share && !corner) continue;
    entries.push_back({cells[i], count_value(random), some_weight(random)});
  }
  return entries;
}

inline std::vector<std::vector<Index>> every(const std::vector<std::uint64_t>& shape, std::size_t step,
                                             std::size_t phase) {
  std::vector<std::vector<Index>> chosen;
  const auto cells = all_cells(IndexSpace(shape));
  for (std::size_t i = phase; i < cells.size(); i += step) chosen.push_back(cells[i]);
  return chosen;
}

inline AlignedVector<double> values_for(std::size_t n, std::uint64_t seed, bool weights) {
  Generator random(RandomStream(seed, Purpose::problem));
  AlignedVector<double> values(n);
  for (double& v : values) v = weights ? some_weight(random) : count_value(random);
  return values;
}

/// Keeps every `step`-th value.
inline AlignedVector<double> with_holes(AlignedVector<double> values, std::size_t step, bool keep) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if ((i % step == 1) != keep) values[i] = std::numeric_limits<double>::quiet_NaN();
  }
  return values;
}

}  // namespace detail

inline std::vector<std::vector<Index>> all_cells(const IndexSpace& space) {
  std::vector<std::vector<Index>> cells = {{}};
  for (std::size_t k = 0; k < space.modes(); ++k) {
    std::vector<std::vector<Index>> longer;
    for (const auto& cell : cells) {
      for (Index i = 0; i < space.extent(k); ++i) {
        longer.push_back(cell);
        longer.back().push_back(i);
      }
    }
    cells = std::move(longer);
  }
  return cells;
}

inline std::vector<Cell> observed_cells(const Tensor& tensor) {
  std::vector<Cell> observed;
  for (const auto& index : all_cells(tensor.space())) {
    if (const DenseTensor* dense = tensor.dense()) {
      const std::uint64_t at = dense->position(index);
      if (!dense->missing(at)) observed.push_back({index, dense->value(at), dense->weight(at)});
      continue;
    }
    const SparseTensor& sparse = *tensor.sparse();
    const std::uint32_t record = sparse.find(index.data());
    if (record != CellSet::absent) {
      observed.push_back({index, sparse.records().value(record), sparse.records().weight(record)});
    } else if (sparse.unlisted() == Unlisted::zero && !sparse.is_missing(index.data())) {
      observed.push_back({index, 0.0, sparse.zero_weight()});
    }
  }
  return observed;
}

inline SparseTensor sparse_of(const std::vector<std::uint64_t>& shape, const std::vector<Cell>& entries, bool weighted,
                              Unlisted unlisted = Unlisted::zero) {
  Records records(shape.size(), weighted);
  for (const Cell& e : entries) records.append(e.index.data(), e.x, e.w);
  return SparseTensor(IndexSpace(shape), std::move(records), unlisted);
}

inline Records cells_of(const std::vector<std::vector<Index>>& cells) {
  Records records(cells.front().size());
  for (const auto& cell : cells) records.append(cell.data(), 0);
  return records;
}

/// With and without weights and missing cells; nearly everything missing takes another path.
inline std::vector<TensorCase> dense_cases() {
  using namespace detail;
  const IndexSpace space(shape3);
  const std::size_t n = 60;
  std::vector<TensorCase> cases;
  cases.push_back({"dense", DenseTensor(space, values_for(n, 1, false))});
  cases.push_back({"dense_one_index_mode", DenseTensor(IndexSpace(shape4), values_for(24, 2, false))});
  DenseTensor weighted(space, values_for(n, 3, false));
  weighted.set_weights(values_for(n, 4, true));
  cases.push_back({"dense_weights", std::move(weighted)});
  DenseTensor holes(space, with_holes(values_for(n, 5, false), 3, false));
  holes.set_weights(values_for(n, 6, true));
  cases.push_back({"dense_weights_and_missing", std::move(holes)});
  cases.push_back({"dense_nearly_all_missing", DenseTensor(space, with_holes(values_for(n, 7, false), 15, true))});
  return cases;
}

/// 3 and 4 modes, with a mode of one index; entry weights, weights of zeros, masks, explicit zeros, unlisted
/// cells that are missing; nearly full and nearly empty ones, which take other paths.
inline std::vector<TensorCase> sparse_cases() {
  using namespace detail;
  std::vector<TensorCase> cases;
  for (const auto& shape : {shape3, shape4}) {
    const std::string d = std::to_string(shape.size()) + "_modes";
    const std::vector<Cell> entries = some_entries(shape, 0.2, 11);
    cases.push_back({"sparse_" + d, sparse_of(shape, entries, false)});
    cases.push_back({"sparse_weights_" + d, sparse_of(shape, entries, true)});
    SparseTensor light = sparse_of(shape, entries, false);
    light.set_zero_weight(0.1);
    cases.push_back({"sparse_zero_weight_" + d, std::move(light)});
    SparseTensor masked = sparse_of(shape, entries, true);
    masked.set_missing(cells_of(every(shape, 7, 0)));
    cases.push_back({"sparse_weights_and_mask_" + d, std::move(masked)});
    std::vector<Cell> with_zeros = entries;
    for (std::size_t i = 1; i < with_zeros.size(); i += 2) with_zeros[i].x = 0;
    cases.push_back({"sparse_unlisted_missing_" + d, sparse_of(shape, with_zeros, true, Unlisted::missing)});
    SparseTensor all = sparse_of(shape, with_zeros, true);
    all.set_zero_weight(0.1);
    all.set_missing(cells_of(every(shape, 6, 4)));
    cases.push_back({"sparse_everything_" + d, std::move(all)});
  }
  std::vector<Cell> full = some_entries(shape3, 1.0, 12);
  cases.push_back({"sparse_no_zeros", sparse_of(shape3, full, true)});
  full.erase(full.begin() + 30);
  cases.push_back({"sparse_one_zero", sparse_of(shape3, full, false)});
  cases.push_back({"sparse_no_nonzeros", sparse_of(shape3, {}, false)});
  SparseTensor nearly_missing = sparse_of(shape4, {{{2, 0, 3, 1}, 3, 2}}, true);
  std::vector<std::vector<Index>> most = all_cells(IndexSpace(shape4));
  most.pop_back();
  most.erase(most.begin() + 5, most.begin() + 6);
  nearly_missing.set_missing(cells_of(most));
  cases.push_back({"sparse_nearly_all_missing", std::move(nearly_missing)});
  // 128 cells: one zero and one nonzero observed, so that uniform candidates are admitted too rarely.
  SparseTensor almost_nothing = sparse_of({4, 4, 4, 2}, {{{3, 3, 3, 1}, 2, 1}}, false);
  std::vector<std::vector<Index>> nearly_all = all_cells(IndexSpace({4, 4, 4, 2}));
  nearly_all.pop_back();
  nearly_all.erase(nearly_all.begin());
  almost_nothing.set_missing(cells_of(nearly_all));
  cases.push_back({"sparse_two_observed_of_128", std::move(almost_nothing)});
  return cases;
}

}  // namespace polyad::test
