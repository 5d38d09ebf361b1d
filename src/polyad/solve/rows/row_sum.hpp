#pragma once
// A row that several sources speak of: F = sum over the parts of weight F_part. New data and what stands for the old are parts of
// one problem, each with its own way to sum over cells.

#include <polyad/solve/rows/row_function.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace polyad {

class RowSum final : public RowFunction {
 public:
  struct Part {
    std::unique_ptr<RowFunction> function;
    double weight = 1;
  };
  /// At least one part; all of the same rank.
  explicit RowSum(std::vector<Part> parts) : parts_(std::move(parts)), scratch_(parts_[0].function->stride()) {}

  std::size_t rank() const override { return parts_[0].function->rank(); }
  std::size_t stride() const override { return parts_[0].function->stride(); }
  bool convex() const override;
  void choose(std::size_t row) override;
  /// Where there is one part only: what each of several would want need not be what all of them want.
  void scale_start(double* b) const override;
  void evaluate(RowPoint& point, bool want_f) override;

 private:
  std::vector<Part> parts_;
  RowPoint scratch_;
};

}  // namespace polyad
