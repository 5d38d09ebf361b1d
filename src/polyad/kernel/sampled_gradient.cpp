#include <polyad/kernel/sampled_gradient.hpp>

#include <polyad/kernel/blocks.hpp>
#include <polyad/kernel/zero_sum.hpp>

#include <algorithm>
#include <array>

namespace polyad {

void sampled_gradient(const Factors& model, const Batch& batch, const Loss& loss, Factors& gradient) {
  using Block = std::array<double, block_samples>;
  constexpr Block zeros{};
  alignas(cache_line) Block m;
  alignas(cache_line) Block y;
  alignas(cache_line) Block g0;

  gradient.set_zero();
  for (std::size_t first = 0; first < batch.size(); first += block_samples) {
    const std::size_t count = std::min(block_samples, batch.size() - first);
    model_block(model, batch, first, count, m.data());
    loss.derivatives(count, batch.x.data() + first, m.data(), y.data());
    for (std::size_t t = 0; t < count; ++t) y[t] *= batch.w[first + t];
    if (!batch.w0.empty()) {
      loss.derivatives(count, zeros.data(), m.data(), g0.data());
      for (std::size_t t = 0; t < count; ++t) y[t] += batch.w0[first + t] * g0[t];
    }
    scatter_block(model, batch, first, count, y.data(), gradient);
  }
  // With a single mode the product of the other rows is 1 in the padding lanes too.
  if (model.modes() == 1) gradient.clear_padding();
  if (batch.all_cells != 0) add_zero_sum_gradient(model, loss.info().zero_sum, batch.all_cells, gradient);
}

}  // namespace polyad
