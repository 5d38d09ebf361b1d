#pragma once
// From what a file states to a tensor: the one place where every reader hands over what it read. Duplicates are summed,
// explicit zeros dropped, and what was found and done is reported.

#include <polyad/io/open.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace polyad {

/// A tensor as a file states it, before duplicates are summed and zeros dropped.
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

Tensor build(RawTensor raw, const ReadOptions& options, Remarks* remarks);

/// Shows the entries to `options.inspect`, drops values that are not finite where `options.drop_bad_values` says so, sums
/// duplicates and drops explicit zeros.
SparseTensor build_sparse(IndexSpace space, Records entries, Unlisted unlisted, const ReadOptions& options,
                          Remarks* remarks);

/// A dense tensor. Infinities are a data error, or become missing where `options.drop_bad_values` says so.
DenseTensor build_dense(IndexSpace space, Mappable<double> values, const ReadOptions& options, Remarks* remarks);

/// A data error where `options.shape` asks for another shape than the file's own.
void check_asked_shape(const std::string& path, const IndexSpace& space, const ReadOptions& options);

/// Whether to map data of this size into memory instead of reading them.
bool worth_mapping(Mapping mapping, double bytes);

/// Places in C order of the elements of a dense tensor as they come in Fortran order (the first index runs fastest).
class FortranWalk {
 public:
  explicit FortranWalk(const std::vector<std::uint64_t>& shape)
      : shape_(shape), index_(shape.size(), 0), stride_(shape.size(), 1) {
    for (std::size_t k = shape.size(); k-- > 1;) stride_[k - 1] = stride_[k] * shape[k];
  }
  std::uint64_t place() const { return place_; }
  void next() {
    for (std::size_t k = 0; k < shape_.size(); ++k) {
      place_ += stride_[k];
      if (++index_[k] < shape_[k]) return;
      place_ -= stride_[k] * shape_[k];
      index_[k] = 0;
    }
  }

 private:
  std::vector<std::uint64_t> shape_;
  std::vector<std::uint64_t> index_;
  std::vector<std::uint64_t> stride_;
  std::uint64_t place_ = 0;
};

}  // namespace polyad
