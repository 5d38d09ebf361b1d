#pragma once
// Every cell of a tensor in C order, in short runs: what a kernel that visits all cells reads from. A dense tensor without
// weights hands out its own memory; a sparse one fills in its listed cells among zeros.

#include <polyad/tensor/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace polyad {

/// A run of cells. Where the weight is 0 the cell is missing and its value is a harmless 1.
struct CellRun {
  const double* x = nullptr;
  const double* w = nullptr;  ///< null: all weights are 1
};

class CellSource {
 public:
  virtual ~CellSource() = default;
  /// `count` cells from `first` on; the buffers hold `count` values each and may or may not be used.
  virtual CellRun run(std::uint64_t first, std::size_t count, double* x_buffer, double* w_buffer) const = 0;
};

/// The tensor must outlive it. A sparse tensor's space must have an exact number of cells; memory 24 bytes a listed cell.
std::unique_ptr<CellSource> make_cell_source(const Tensor& tensor);

}  // namespace polyad
