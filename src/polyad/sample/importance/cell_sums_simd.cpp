// Sums over the components of cells (cell_sums.hpp), a lane is a component.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyad/sample/importance/cell_sums_simd.cpp"
#include <polyad/base/simd_file.hpp>
// Highway reads this file again for each target.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <polyad/base/row_vectors-inl.hpp>
#include <polyad/sample/importance/cell_sums.hpp>

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {
namespace {

// Calls visit(k, z_k) for every mode, last first, for the vector at c of the rows; returns the product of all rows.
template <std::size_t Held, class D, class Visit>
HWY_INLINE hn::Vec<D> leave_one_out(D d, const std::array<const double*, Held>& row, std::size_t modes, std::size_t c,
                                    const Visit& visit) {
  using V = hn::Vec<D>;
  V a[Held];
  V before[Held];  // the rows of all modes before k
  V prefix = hn::Set(d, 1.0);
  V suffix = hn::LoadU(d, row[0] + c);
  for (std::size_t k = 0; k + 1 < modes; ++k) {
    a[k] = suffix;
    before[k] = prefix;
    prefix = hn::Mul(prefix, a[k]);
    suffix = hn::LoadU(d, row[k + 1] + c);
  }
  visit(modes - 1, prefix);
  // Now the rows of all modes after k.
  for (std::size_t k = modes - 1; k-- > 0;) {
    visit(k, hn::Mul(before[k], suffix));
    suffix = hn::Mul(suffix, a[k]);
  }
  return suffix;
}

// `Quads` and `Modes` are the row length in fours and the number of modes; 0 means known only at run time.
template <std::size_t Quads, std::size_t Modes>
struct Shape {
  static constexpr std::size_t held = Modes > 0 ? Modes : max_modes;
  const std::size_t quads;
  const std::size_t modes;
  explicit Shape(const CellRows& rows)
      : quads(Quads > 0 ? Quads : rows.stride / 4), modes(Modes > 0 ? Modes : rows.modes) {}
  HWY_INLINE std::array<const double*, held> rows_of(const CellRows& rows, std::size_t cell) const {
    std::array<const double*, held> row;
    row[0] = rows.factor[0] + rows.index[0][cell] * (4 * quads);
    for (std::size_t k = 1; k < modes; ++k) row[k] = rows.factor[k] + rows.index[k][cell] * (4 * quads);
    return row;
  }
};

template <std::size_t Quads, std::size_t Modes>
void sizes(const CellRows& rows, std::size_t first, std::size_t count, double* m, double* squares) {
  const Shape<Quads, Modes> shape(rows);
  for (std::size_t t = 0; t < count; ++t) {
    const auto row = shape.rows_of(rows, first + t);
    RowSum<double> value;
    RowSum<double> square;
    for_each_vector<double>(shape.quads, [&](auto d, std::size_t c) {
      auto sum = hn::Zero(d);
      const auto product = leave_one_out<Shape<Quads, Modes>::held>(
          d, row, shape.modes, c, [&](std::size_t, auto z) { sum = hn::MulAdd(z, z, sum); });
      value.add(d, product);
      square.add(d, sum);
    });
    m[t] = value.of(shape.quads);
    squares[t] = square.of(shape.quads);
  }
}

template <std::size_t Quads, std::size_t Modes>
void density(const CellRows& rows, const double* coefficients, std::size_t first, std::size_t count, double* out) {
  const Shape<Quads, Modes> shape(rows);
  for (std::size_t t = 0; t < count; ++t) {
    const auto row = shape.rows_of(rows, first + t);
    RowSum<double> all;
    for_each_vector<double>(shape.quads, [&](auto d, std::size_t c) {
      auto sum = hn::Zero(d);
      leave_one_out<Shape<Quads, Modes>::held>(d, row, shape.modes, c, [&](std::size_t k, auto z) {
        sum = hn::MulAdd(z, hn::LoadU(d, coefficients + 4 * shape.quads * k + c), sum);
      });
      all.add(d, sum);
    });
    out[t] = all.of(shape.quads);
  }
}

struct MakeCellSums {
  template <std::size_t Quads, std::size_t Modes>
  static constexpr CellSums kernels() {
    return {&sizes<Quads, Modes>, &density<Quads, Modes>};
  }
};

}  // namespace

CellSums cell_sums_on_target(std::size_t modes, std::size_t stride) {
  return kernels_for_shape<MakeCellSums>(modes, stride);
}

}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <polyad/base/simd_target.hpp>

namespace polyad {

HWY_EXPORT(cell_sums_on_target);

CellSums cell_sums(std::size_t modes, std::size_t stride) {
  simd_target();
  return HWY_DYNAMIC_DISPATCH(cell_sums_on_target)(modes, stride);
}

}  // namespace polyad
#endif  // HWY_ONCE
