#include <polyad/kernel/every_cell_blocks.hpp>

// This order is Highway's.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyad/kernel/every_cell_blocks_simd.cpp"
#include <polyad/base/simd_file.hpp>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::ScalableTag<double>;
using Vector = hn::Vec<Lanes>;

template <std::size_t Rows>
HWY_INLINE void model_rows(const TailBlock& b, double* HWY_RESTRICT m) {
  const Lanes d;
  const std::size_t step = hn::Lanes(d);
  for (std::size_t c = 0; c < b.cells; c += 2 * step) {
    Vector sum[Rows][2];
    for (std::size_t row = 0; row < Rows; ++row) sum[row][0] = sum[row][1] = hn::Zero(d);
    for (std::size_t j = 0; j < b.rank; ++j) {
      const double* HWY_RESTRICT line = b.table + j * b.table_line + c;
      const Vector t0 = hn::LoadU(d, line);
      const Vector t1 = hn::LoadU(d, line + step);
      for (std::size_t row = 0; row < Rows; ++row) {
        const Vector p = hn::Set(d, b.p[row * b.rank + j]);
        sum[row][0] = hn::MulAdd(p, t0, sum[row][0]);
        sum[row][1] = hn::MulAdd(p, t1, sum[row][1]);
      }
    }
    for (std::size_t row = 0; row < Rows; ++row) {
      hn::StoreU(sum[row][0], d, m + row * tail_cells + c);
      hn::StoreU(sum[row][1], d, m + row * tail_cells + c + step);
    }
  }
}

template <std::size_t Rows, bool Sums, bool Q>
HWY_INLINE void scatter_rows(const TailBlock& b, const double* HWY_RESTRICT y, double* HWY_RESTRICT sums,
                             std::size_t sums_line, double* HWY_RESTRICT q) {
  const Lanes d;
  const std::size_t step = hn::Lanes(d);
  for (std::size_t j = 0; j < b.rank; ++j) {
    const double* HWY_RESTRICT line = b.table + j * b.table_line;
    Vector p[Rows];
    Vector dot[Rows];
    for (std::size_t row = 0; row < Rows; ++row) {
      p[row] = hn::Set(d, b.p[row * b.rank + j]);
      dot[row] = hn::Zero(d);
    }
    for (std::size_t c = 0; c < b.cells; c += step) {
      Vector sum = hn::Zero(d);
      if constexpr (Sums) sum = hn::LoadU(d, sums + j * sums_line + c);
      const Vector t = hn::LoadU(d, line + c);
      for (std::size_t row = 0; row < Rows; ++row) {
        const Vector v = hn::LoadU(d, y + row * tail_cells + c);
        if constexpr (Sums) sum = hn::MulAdd(p[row], v, sum);
        if constexpr (Q) dot[row] = hn::MulAdd(v, t, dot[row]);
      }
      if constexpr (Sums) hn::StoreU(sum, d, sums + j * sums_line + c);
    }
    if constexpr (Q) {
      for (std::size_t row = 0; row < Rows; ++row) q[row * b.rank + j] = hn::GetLane(hn::SumOfLanes(d, dot[row]));
    }
  }
}

template <std::size_t Rows>
HWY_INLINE void scatter_wanted(const TailBlock& b, const double* y, double* sums, std::size_t sums_line, double* q) {
  if (sums != nullptr && q != nullptr) {
    scatter_rows<Rows, true, true>(b, y, sums, sums_line, q);
  } else if (sums != nullptr) {
    scatter_rows<Rows, true, false>(b, y, sums, sums_line, q);
  } else if (q != nullptr) {
    scatter_rows<Rows, false, true>(b, y, sums, sums_line, q);
  }
}

void model_of_block(const TailBlock& b, double* m) {
  switch (b.rows) {
    case 1:
      return model_rows<1>(b, m);
    case 2:
      return model_rows<2>(b, m);
    case 3:
      return model_rows<3>(b, m);
    default:
      return model_rows<tail_rows>(b, m);
  }
}

void scatter_of_block(const TailBlock& b, const double* y, double* sums, std::size_t sums_line, double* q) {
  switch (b.rows) {
    case 1:
      return scatter_wanted<1>(b, y, sums, sums_line, q);
    case 2:
      return scatter_wanted<2>(b, y, sums, sums_line, q);
    case 3:
      return scatter_wanted<3>(b, y, sums, sums_line, q);
    default:
      return scatter_wanted<tail_rows>(b, y, sums, sums_line, q);
  }
}

}  // namespace
}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <polyad/base/simd_target.hpp>

namespace polyad {

HWY_EXPORT(model_of_block);
HWY_EXPORT(scatter_of_block);

void tail_model(const TailBlock& block, double* m) {
  simd_target();
  HWY_DYNAMIC_DISPATCH(model_of_block)(block, m);
}

void tail_scatter(const TailBlock& block, const double* y, double* sums, std::size_t sums_line, double* q) {
  simd_target();
  HWY_DYNAMIC_DISPATCH(scatter_of_block)(block, y, sums, sums_line, q);
}

}  // namespace polyad
#endif
