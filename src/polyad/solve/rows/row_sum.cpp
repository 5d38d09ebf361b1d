#include <polyad/solve/rows/row_sum.hpp>

#include <algorithm>
#include <limits>

namespace polyad {

bool RowSum::convex() const {
  return std::ranges::all_of(parts_, [](const Part& part) { return part.function->convex(); });
}

void RowSum::choose(std::size_t row) {
  for (const Part& part : parts_) part.function->choose(row);
}

void RowSum::scale_start(double* b) const {
  if (parts_.size() == 1) parts_[0].function->scale_start(b);
}

void RowSum::evaluate(RowPoint& point, bool want_f) {
  if (parts_.size() == 1 && parts_[0].weight == 1) {
    parts_[0].function->evaluate(point, want_f);
    return;
  }
  point.clear();
  std::ranges::copy(point.b, scratch_.b.begin());
  for (const Part& part : parts_) {
    part.function->evaluate(scratch_, want_f);
    point.add(scratch_, part.weight);
  }
  if (!want_f) point.f = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace polyad
