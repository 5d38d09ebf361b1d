#pragma once
// A tensor as a file states it, before duplicates are summed and zeros dropped.

#include <polyad/io/open.hpp>
#include <polyad/tensor/tensor.hpp>

#include <optional>

namespace polyad {

struct RawTensor {
  explicit RawTensor(IndexSpace extents) : space(std::move(extents)) {}

  IndexSpace space;
  Labels labels;
  // Sparse:
  std::optional<Records> entries;  ///< unset: dense
  Unlisted unlisted = Unlisted::zero;
  double zero_weight = 1;
  std::optional<Records> missing;
  // Dense, in C order:
  Mappable<double> values;
  Mappable<double> weights;  ///< empty: none

  /// What polyad itself knew of the tensor when it wrote the file.
  std::optional<TensorFacts> facts;
};

/// The tensor, with what was found and done remarked on.
Tensor build(RawTensor raw, const ReadOptions& options, Remarks* remarks);

}  // namespace polyad
