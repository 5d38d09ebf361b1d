#pragma once
// Old slices that are kept as they are: a sample of fixed size over a stream that never ends. From the first slice kept on, the
// sample stands for all old slices, each for as many as what these still count; what was before is spoken for by the old model
// (solve/rows/replay_cells.hpp).

#include <polyad/files.hpp>
#include <polyad/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace polyad {

struct SliceMemory {
  Tensor tensor;            ///< in the joined space, but for the mode of the slices
  std::vector<Index> rows;  ///< of the old model, one per slice kept
  double weight = 0;        ///< of each cell
};

/// Joins kept slices to the model in the space of the new data, which has all labels. `counts` is what each of the model's slices
/// still counts; those that the memory stands for are set to 0. A data error where no slice is one of the model's that count.
SliceMemory join_memory(const Tensor& kept, const Tensor& data, const ModelFile& file, std::size_t mode,
                        std::vector<double>& counts);

/// Which slices to keep of old and new ones: each with a chance in proportion to what it still counts, by a number that its label
/// alone gives it, so that the choice over a stream of slices is the choice at its end (Efraimidis and Spirakis, Weighted random
/// sampling with a reservoir, 2006). Positions in order.
std::vector<std::size_t> slices_to_keep(std::span<const std::string> labels, std::span<const double> counts,
                                        std::size_t most, std::uint64_t seed);

/// The memory after an update: of the slices kept (may be null) and the new ones, at most `most`. `labels` and `counts` are those of
/// the new model's slices. A data error where the slices have no labels, or one is dense and the other sparse.
Tensor next_memory(const SliceMemory* memory, const Tensor& data, std::size_t mode, const Labels& labels,
                   std::span<const double> counts, std::size_t most, std::uint64_t seed);

}  // namespace polyad
