#include <polyad/kernel/batch_objective.hpp>

#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/kernel/sampled_blocks.hpp>
#include <polyad/kernel/zero_sum.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace polyad {

namespace {

template <class T>
using Block = std::array<T, block_cells>;

// out[t] = in[t], in the precision of the kernels.
template <class T>
void convert(const double* in, std::size_t count, T* out) {
  for (std::size_t t = 0; t < count; ++t) out[t] = static_cast<T>(in[t]);
}

// Calls body(first, count) for the blocks of samples begin .. end-1.
template <class Body>
void for_each_block(std::size_t begin, std::size_t end, const Body& body) {
  for (std::size_t first = begin; first < end; first += block_cells) body(first, std::min(block_cells, end - first));
}

// Sums of a block's terms: four plain sums side by side, which is a pairwise sum over 64 terms.
double weighted_sum(const double* w, const double* f, std::size_t count) {
  std::array<double, 4> sums{};
  std::size_t t = 0;
  for (; t + 4 <= count; t += 4) {
    for (std::size_t i = 0; i < 4; ++i) sums[i] += w[t + i] * f[t + i];
  }
  for (; t < count; ++t) sums[0] += w[t] * f[t];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class T>
double range_objective(const FactorsOf<T>& model, const Batch& batch, const Loss& loss, std::size_t begin,
                       std::size_t end) {
  constexpr Block<double> zeros{};
  alignas(cache_line) Block<T> model_values;
  alignas(cache_line) Block<double> m;
  alignas(cache_line) Block<double> f;
  const CellRowsOf<T> rows(model, batch);
  const BlockKernels<T> kernels = block_kernels<T>(rows.modes, rows.stride);
  CompensatedSum sum;
  for_each_block(begin, end, [&](std::size_t first, std::size_t count) {
    kernels.model(rows, first, count, model_values.data());
    std::copy_n(model_values.begin(), count, m.begin());
    loss.values(count, batch.x.data() + first, m.data(), f.data());
    sum.add(weighted_sum(batch.w.data() + first, f.data(), count));
    if (batch.w0.empty() || first >= batch.zeros_from) return;
    loss.values(count, zeros.data(), m.data(), f.data());
    sum.add(weighted_sum(batch.w0.data() + first, f.data(), count));
  });
  return sum.value();
}

}  // namespace

template <class T>
double estimate(const FactorsOf<T>& model, const Batch& batch, const Loss& loss, std::size_t threads) {
  std::vector<double> chunks((batch.size() + chunk_samples - 1) / chunk_samples);
  parallel_tasks(chunks.size(), threads, [&](std::size_t c) {
    const std::size_t begin = c * chunk_samples;
    chunks[c] = range_objective(model, batch, loss, begin, std::min(begin + chunk_samples, batch.size()));
  });
  CompensatedSum sum;
  for (const double chunk : chunks) sum.add(chunk);
  return batch.all_cells == 0 ? sum.value() : sum.value() + batch.all_cells * zero_sum(model, loss.info().zero_sum);
}

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

template double estimate(const FactorsOf<double>&, const Batch&, const Loss&, std::size_t);
template double estimate(const FactorsOf<float>&, const Batch&, const Loss&, std::size_t);
template void add_sampled_gradient(const CellRowsOf<double>&, const Batch&, const Loss&, double);
template void add_sampled_gradient(const CellRowsOf<float>&, const Batch&, const Loss&, double);
template void sampled_gradient(const FactorsOf<double>&, const Batch&, const Loss&, FactorsOf<double>&);
template void sampled_gradient(const FactorsOf<float>&, const Batch&, const Loss&, FactorsOf<float>&);

std::vector<double> model_values(const Factors& model, const Batch& batch) {
  const BlockKernels<double> kernels = block_kernels<double>(model.modes(), model.stride());
  const CellRowsOf<double> rows(model, batch);
  alignas(cache_line) std::array<double, block_cells> block;
  std::vector<double> m(batch.size());
  for (std::size_t first = 0; first < batch.size(); first += block_cells) {
    const std::size_t count = std::min(block_cells, batch.size() - first);
    kernels.model(rows, first, count, block.data());
    std::copy_n(block.begin(), count, m.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return m;
}

}  // namespace polyad
