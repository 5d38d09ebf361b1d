#pragma once
// Orders of the cells of a dense tensor.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polyad {

/// Places in C order of the elements as they come in Fortran order (the first index runs fastest).
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
