#include <polyad/kernel/sampled_gradient.hpp>

#include <polyad/kernel/weighted_derivatives.hpp>
#include <polyad/kernel/zero_sum.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace polyad {

namespace {

template <class T>
using Block = std::array<T, block_samples>;

// out[t] = in[t], in the precision of the kernels.
template <class T>
void convert(const double* in, std::size_t count, T* out) {
  for (std::size_t t = 0; t < count; ++t) out[t] = static_cast<T>(in[t]);
}

// Calls body(first, count) for the blocks of samples begin .. end-1.
template <class Body>
void for_each_block(std::size_t begin, std::size_t end, const Body& body) {
  for (std::size_t first = begin; first < end; first += block_samples)
    body(first, std::min(block_samples, end - first));
}

}  // namespace

template <class T>
void add_sampled_gradient(const CellRowsOf<T>& rows, const Batch& batch, const Loss& loss, double scale) {
  constexpr Block<T> zeros{};
  alignas(cache_line) Block<T> x;
  alignas(cache_line) Block<T> m;
  alignas(cache_line) Block<T> y;
  const BlockKernels<T> kernels = block_kernels<T>(rows.modes, rows.stride);
  const double zero_slope = loss.info().zero_slope;
  const bool constant_zero_slope = !std::isnan(zero_slope);

  for_each_block(0, batch.zeros_from, [&](std::size_t first, std::size_t count) {
    kernels.model(rows, first, count, m.data());
    convert(batch.x.data() + first, count, x.data());
    const double* w = batch.w.data() + first;
    const double* w0 = batch.w0.empty() ? nullptr : batch.w0.data() + first;
    weighted_derivatives(
        loss, count, x.data(), m.data(), !batch.w0.empty(),
        [=](std::size_t t, T g) { return g * static_cast<T>(w[t] * scale); },
        [=](std::size_t t) { return w0[t] * scale; }, y.data());
    kernels.scatter(rows, first, count, y.data());
  });

  for_each_block(batch.zeros_from, batch.size(), [&](std::size_t first, std::size_t count) {
    if (constant_zero_slope) {
      y.fill(static_cast<T>(zero_slope));
    } else {
      kernels.model(rows, first, count, m.data());
      loss.derivatives(count, zeros.data(), m.data(), y.data());
    }
    const double* w = batch.w.data() + first;
    for (std::size_t t = 0; t < count; ++t) y[t] *= static_cast<T>(w[t] * scale);
    kernels.scatter(rows, first, count, y.data());
  });
}

template <class T>
void sampled_gradient(const FactorsOf<T>& model, const Batch& batch, const Loss& loss, FactorsOf<T>& gradient) {
  gradient.set_zero();
  add_sampled_gradient(CellRowsOf<T>(model, batch, gradient), batch, loss, 1.0);
  // With a single mode the product of the other rows is 1 in the padding lanes too.
  if (model.modes() == 1) gradient.clear_padding();
  if (batch.all_cells != 0) add_zero_sum_gradient(model, loss.info().zero_sum, batch.all_cells, gradient);
}

template void add_sampled_gradient(const CellRowsOf<double>&, const Batch&, const Loss&, double);
template void add_sampled_gradient(const CellRowsOf<float>&, const Batch&, const Loss&, double);
template void sampled_gradient(const FactorsOf<double>&, const Batch&, const Loss&, FactorsOf<double>&);
template void sampled_gradient(const FactorsOf<float>&, const Batch&, const Loss&, FactorsOf<float>&);

}  // namespace polyad
