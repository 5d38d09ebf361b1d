#include <polyad/base/math.hpp>
#include <polyad/kernel/listed_blocks.hpp>
#include <polyad/loss.hpp>

#include <algorithm>
#include <cmath>

// This order is Highway's.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyad/kernel/listed_blocks_simd.cpp"
#include <polyad/base/simd_file.hpp>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
// Rows are padded to multiples of four doubles, so vectors are no longer than that.
using RowTag = hn::CappedTag<double, 4>;
using RowVector = hn::Vec<RowTag>;

// A row is worked through in slabs of at most this many vectors, whose registers fit together.
constexpr std::size_t most_vectors = 4;

HWY_INLINE double sum_of(RowVector v) {
  const RowTag d;
  return hn::GetLane(hn::SumOfLanes(d, v));
}

HWY_INLINE const double* row_at(const CellRows& b, std::size_t mode, std::size_t t, std::size_t offset) {
  return b.factor[mode] + b.index[mode][t] * b.stride + offset;
}

// Where the rows of the modes after the first are, at one cell and one slab. Found once per cell: a vector store might change
// the block itself for all that the compiler knows. `Others` is their number; 0: known only at run time.
template <std::size_t Others>
struct OtherRows {
  static constexpr std::size_t held = Others > 0 ? Others : max_modes;
  std::size_t count;
  const double* row[held];
  double* sums[held];

  HWY_INLINE OtherRows(const CellRows& b, std::size_t t, std::size_t offset, bool with_sums)
      : count(Others > 0 ? Others : b.modes - 1) {
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t at = b.index[k + 1][t] * b.stride + offset;
      row[k] = b.factor[k + 1] + at;
      if (with_sums) sums[k] = b.gradient[k + 1] + at;
    }
  }

  HWY_INLINE RowVector product(std::size_t at) const {
    const RowTag d;
    if (Others == 0 && count == 0) return hn::Set(d, 1.0);
    RowVector all = hn::Load(d, row[0] + at);
    for (std::size_t k = 1; k < count; ++k) all = hn::Mul(all, hn::Load(d, row[k] + at));
    return all;
  }
};

HWY_INLINE std::size_t run_end(const CellRows& b, std::size_t count, std::size_t t) {
  const Index row = b.index[0][t];
  std::size_t end = t + 1;
  while (end < count && b.index[0][end] == row) ++end;
  return end;
}

template <std::size_t Vectors, std::size_t Others>
HWY_INLINE void model_slab(const CellRows& b, std::size_t count, std::size_t offset, double* HWY_RESTRICT m) {
  const RowTag d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t t = 0; t < count;) {
    const std::size_t end = run_end(b, count, t);
    RowVector own[Vectors];
    for (std::size_t c = 0; c < Vectors; ++c) own[c] = hn::Load(d, row_at(b, 0, t, offset + c * lanes));
    for (; t < end; ++t) {
      const OtherRows<Others> others(b, t, offset, false);
      RowVector sum = hn::Mul(own[0], others.product(0));
      for (std::size_t c = 1; c < Vectors; ++c) sum = hn::MulAdd(own[c], others.product(c * lanes), sum);
      m[t] += sum_of(sum);
    }
  }
}

// y times the products of all rows but one, for each mode after the first: prefix and suffix products. Returns the product of
// all rows after the first.
template <std::size_t Others>
HWY_INLINE RowVector scatter_others(const OtherRows<Others>& others, std::size_t at, RowVector weighted_own) {
  const RowTag d;
  const auto add = [&](std::size_t k, RowVector prefix, RowVector suffix) HWY_ATTR {
    hn::Store(hn::MulAdd(prefix, suffix, hn::Load(d, others.sums[k] + at)), d, others.sums[k] + at);
  };
  if constexpr (Others == 2) {
    const RowVector p = hn::Load(d, others.row[0] + at);
    const RowVector q = hn::Load(d, others.row[1] + at);
    add(0, weighted_own, q);
    add(1, weighted_own, p);
    return hn::Mul(p, q);
  } else if constexpr (Others == 3) {
    const RowVector p = hn::Load(d, others.row[0] + at);
    const RowVector q = hn::Load(d, others.row[1] + at);
    const RowVector r = hn::Load(d, others.row[2] + at);
    const RowVector qr = hn::Mul(q, r);
    const RowVector wp = hn::Mul(weighted_own, p);
    add(0, weighted_own, qr);
    add(1, wp, r);
    add(2, wp, q);
    return hn::Mul(p, qr);
  } else {
    RowVector prefix[max_modes];
    prefix[0] = weighted_own;
    for (std::size_t k = 0; k + 1 < others.count; ++k) {
      prefix[k + 1] = hn::Mul(prefix[k], hn::Load(d, others.row[k] + at));
    }
    RowVector suffix = hn::Set(d, 1.0);
    for (std::size_t k = others.count; k-- > 0;) {
      add(k, prefix[k], suffix);
      suffix = hn::Mul(suffix, hn::Load(d, others.row[k] + at));
    }
    return suffix;
  }
}

template <std::size_t Vectors, std::size_t Others>
HWY_INLINE void scatter_slab(const CellRows& b, std::size_t count, std::size_t offset, const double* HWY_RESTRICT y) {
  const RowTag d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t t = 0; t < count;) {
    const std::size_t end = run_end(b, count, t);
    double* own_sums = b.gradient[0] + b.index[0][t] * b.stride + offset;
    RowVector own[Vectors];
    RowVector sums[Vectors];
    for (std::size_t c = 0; c < Vectors; ++c) {
      own[c] = hn::Load(d, row_at(b, 0, t, offset + c * lanes));
      sums[c] = hn::Load(d, own_sums + c * lanes);
    }
    for (; t < end; ++t) {
      const RowVector weight = hn::Set(d, y[t]);
      const OtherRows<Others> others(b, t, offset, true);
      for (std::size_t c = 0; c < Vectors; ++c) {
        sums[c] = hn::MulAdd(weight, scatter_others(others, c * lanes, hn::Mul(weight, own[c])), sums[c]);
      }
    }
    for (std::size_t c = 0; c < Vectors; ++c) hn::Store(sums[c], d, own_sums + c * lanes);
  }
}

template <std::size_t Vectors, std::size_t Others>
HWY_INLINE void products_slab(const CellRows& b, std::size_t count, std::size_t offset, double* HWY_RESTRICT pi) {
  const RowTag d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t t = 0; t < count; ++t) {
    const OtherRows<Others> others(b, t, offset, false);
    double* HWY_RESTRICT to = pi + t * b.stride + offset;
    for (std::size_t c = 0; c < Vectors; ++c) hn::Store(others.product(c * lanes), d, to + c * lanes);
  }
}

// Calls body.operator()<Vectors, Others>(offset) for each slab of the row.
template <std::size_t Others, class Body>
HWY_INLINE void for_slabs(std::size_t stride, const Body& body) {
  const RowTag d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t offset = 0; offset < stride;) {
    const std::size_t vectors = std::min(most_vectors, (stride - offset) / lanes);
    switch (vectors) {
      case 1:
        body.template operator()<1, Others>(offset);
        break;
      case 2:
        body.template operator()<2, Others>(offset);
        break;
      case 3:
        body.template operator()<3, Others>(offset);
        break;
      default:
        body.template operator()<most_vectors, Others>(offset);
        break;
    }
    offset += vectors * lanes;
  }
}

template <class Body>
HWY_INLINE void for_slabs_and_modes(const CellRows& b, const Body& body) {
  switch (b.modes) {
    case 3:
      return for_slabs<2>(b.stride, body);
    case 4:
      return for_slabs<3>(b.stride, body);
    default:
      return for_slabs<0>(b.stride, body);
  }
}

struct ModelSlab {
  const CellRows& rows;
  std::size_t count;
  double* m;
  template <std::size_t Vectors, std::size_t Others>
  HWY_INLINE void operator()(std::size_t offset) const {
    model_slab<Vectors, Others>(rows, count, offset, m);
  }
};
struct ScatterSlab {
  const CellRows& rows;
  std::size_t count;
  const double* y;
  template <std::size_t Vectors, std::size_t Others>
  HWY_INLINE void operator()(std::size_t offset) const {
    scatter_slab<Vectors, Others>(rows, count, offset, y);
  }
};
struct ProductsSlab {
  const CellRows& rows;
  std::size_t count;
  double* pi;
  template <std::size_t Vectors, std::size_t Others>
  HWY_INLINE void operator()(std::size_t offset) const {
    products_slab<Vectors, Others>(rows, count, offset, pi);
  }
};

void model_of_cells(const CellRows& rows, std::size_t count, double* m) {
  std::fill_n(m, count, 0.0);
  for_slabs_and_modes(rows, ModelSlab{rows, count, m});
}
void scatter_cells(const CellRows& rows, std::size_t count, const double* y) {
  for_slabs_and_modes(rows, ScatterSlab{rows, count, y});
}
void products_of_cells(const CellRows& rows, std::size_t count, double* pi) {
  for_slabs_and_modes(rows, ProductsSlab{rows, count, pi});
}

template <std::size_t Vectors>
HWY_INLINE void dots_slab(const double* HWY_RESTRICT pi, std::size_t stride, std::size_t count,
                          const double* HWY_RESTRICT b, double* HWY_RESTRICT m) {
  const RowTag d;
  const std::size_t lanes = hn::Lanes(d);
  RowVector row[Vectors];
  for (std::size_t c = 0; c < Vectors; ++c) row[c] = hn::LoadU(d, b + c * lanes);
  for (std::size_t t = 0; t < count; ++t) {
    RowVector sum = hn::Mul(row[0], hn::LoadU(d, pi + t * stride));
    for (std::size_t c = 1; c < Vectors; ++c) sum = hn::MulAdd(row[c], hn::LoadU(d, pi + t * stride + c * lanes), sum);
    m[t] += sum_of(sum);
  }
}

template <std::size_t Vectors>
HWY_INLINE void sums_slab(const double* HWY_RESTRICT pi, std::size_t stride, std::size_t count,
                          const double* HWY_RESTRICT v, double* HWY_RESTRICT sums) {
  const RowTag d;
  const std::size_t lanes = hn::Lanes(d);
  RowVector sum[Vectors];
  for (std::size_t c = 0; c < Vectors; ++c) sum[c] = hn::LoadU(d, sums + c * lanes);
  for (std::size_t t = 0; t < count; ++t) {
    const RowVector weight = hn::Set(d, v[t]);
    for (std::size_t c = 0; c < Vectors; ++c) {
      sum[c] = hn::MulAdd(weight, hn::LoadU(d, pi + t * stride + c * lanes), sum[c]);
    }
  }
  for (std::size_t c = 0; c < Vectors; ++c) hn::StoreU(sum[c], d, sums + c * lanes);
}

struct DotsSlab {
  const double* pi;
  std::size_t stride, count;
  const double* b;
  double* m;
  template <std::size_t Vectors, std::size_t>
  HWY_INLINE void operator()(std::size_t offset) const {
    dots_slab<Vectors>(pi + offset, stride, count, b + offset, m);
  }
};
struct SumsSlab {
  const double* pi;
  std::size_t stride, count;
  const double* v;
  double* sums;
  template <std::size_t Vectors, std::size_t>
  HWY_INLINE void operator()(std::size_t offset) const {
    sums_slab<Vectors>(pi + offset, stride, count, v, sums + offset);
  }
};

void dots_of_rows(const double* pi, std::size_t stride, std::size_t count, const double* b, double* m) {
  std::fill_n(m, count, 0.0);
  for_slabs<0>(stride, DotsSlab{pi, stride, count, b, m});
}
void sums_of_rows(const double* pi, std::size_t stride, std::size_t count, const double* v, double* sums) {
  for_slabs<0>(stride, SumsSlab{pi, stride, count, v, sums});
}

// Line p of the square from the vector that holds component p on; four sums at once stay in registers.
void squares_of_rows(const double* HWY_RESTRICT pi, std::size_t stride, std::size_t count, const double* HWY_RESTRICT v,
                     double* HWY_RESTRICT sums) {
  const RowTag d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t p = 0; p < stride; ++p) {
    for (std::size_t q = p / lanes * lanes; q < stride; q += lanes) {
      RowVector sum = hn::LoadU(d, sums + p * stride + q);
      RowVector odd = hn::Zero(d);
      std::size_t t = 0;
      for (; t + 2 <= count; t += 2) {
        const double* HWY_RESTRICT row = pi + t * stride;
        sum = hn::MulAdd(hn::Set(d, v[t] * row[p]), hn::LoadU(d, row + q), sum);
        odd = hn::MulAdd(hn::Set(d, v[t + 1] * row[stride + p]), hn::LoadU(d, row + stride + q), odd);
      }
      if (t < count) sum = hn::MulAdd(hn::Set(d, v[t] * pi[t * stride + p]), hn::LoadU(d, pi + t * stride + q), sum);
      hn::StoreU(hn::Add(sum, odd), d, sums + p * stride + q);
    }
  }
}

double sum_of_logs(std::size_t count, const double* HWY_RESTRICT x, const double* HWY_RESTRICT m) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto epsilon = hn::Set(d, loss_epsilon);
  auto sum = hn::Zero(d);
  std::size_t t = 0;
  for (; t + lanes <= count; t += lanes) {
    sum = hn::MulAdd(hn::LoadU(d, x + t), hn::Log(d, hn::Add(hn::LoadU(d, m + t), epsilon)), sum);
  }
  double total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; t < count; ++t) total += x[t] * math::log(m[t] + loss_epsilon);
  return total;
}

void ratios_of(std::size_t count, const double* HWY_RESTRICT x, const double* HWY_RESTRICT m, double* HWY_RESTRICT v) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto epsilon = hn::Set(d, loss_epsilon);
  std::size_t t = 0;
  for (; t + lanes <= count; t += lanes) {
    hn::StoreU(hn::Div(hn::LoadU(d, x + t), hn::Add(hn::LoadU(d, m + t), epsilon)), d, v + t);
  }
  for (; t < count; ++t) v[t] = x[t] / (m[t] + loss_epsilon);
}

}  // namespace
}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <polyad/base/simd_target.hpp>

namespace polyad {

HWY_EXPORT(model_of_cells);
HWY_EXPORT(scatter_cells);
HWY_EXPORT(products_of_cells);
HWY_EXPORT(dots_of_rows);
HWY_EXPORT(sums_of_rows);
HWY_EXPORT(squares_of_rows);
HWY_EXPORT(sum_of_logs);
HWY_EXPORT(ratios_of);

void cell_model(const CellRows& rows, std::size_t count, double* m) {
  simd_target();
  HWY_DYNAMIC_DISPATCH(model_of_cells)(rows, count, m);
}
void cell_scatter(const CellRows& rows, std::size_t count, const double* y) {
  simd_target();
  HWY_DYNAMIC_DISPATCH(scatter_cells)(rows, count, y);
}
void cell_products(const CellRows& rows, std::size_t count, double* pi) {
  simd_target();
  HWY_DYNAMIC_DISPATCH(products_of_cells)(rows, count, pi);
}
void row_dots(const double* pi, std::size_t stride, std::size_t count, const double* b, double* m) {
  simd_target();
  HWY_DYNAMIC_DISPATCH(dots_of_rows)(pi, stride, count, b, m);
}
void row_sums(const double* pi, std::size_t stride, std::size_t count, const double* v, double* sums) {
  simd_target();
  HWY_DYNAMIC_DISPATCH(sums_of_rows)(pi, stride, count, v, sums);
}
void row_squares(const double* pi, std::size_t stride, std::size_t count, const double* v, double* sums) {
  simd_target();
  HWY_DYNAMIC_DISPATCH(squares_of_rows)(pi, stride, count, v, sums);
}

double log_sum(std::size_t count, const double* x, const double* m) {
  simd_target();
  return HWY_DYNAMIC_DISPATCH(sum_of_logs)(count, x, m);
}
void ratios(std::size_t count, const double* x, const double* m, double* v) {
  simd_target();
  HWY_DYNAMIC_DISPATCH(ratios_of)(count, x, m, v);
}

}  // namespace polyad
#endif
