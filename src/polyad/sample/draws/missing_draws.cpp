#include <polyad/sample/draws/missing_draws.hpp>

#include <algorithm>
#include <array>

namespace polyad {

void MissingDraws::fill(const DrawKey& key, std::size_t first, Batch& batch) const {
  constexpr std::size_t at_once = 64;  // numbers drawn
  const Records& missing = tensor_->missing();
  std::array<std::uint64_t, at_once> drawn;
  for (std::size_t at = first; at < first + count_; at += at_once) {
    const std::size_t n = std::min(at_once, first + count_ - at);
    draw_numbers(key, at, n, numbers_.size(), drawn.data());
    for (std::size_t t = 0; t < n; ++t) {
      const Index* const from = missing.index(numbers_[drawn[t]]);
      for (std::size_t k = 0; k < batch.modes(); ++k) batch.index[k][at + t] = from[k];
    }
  }
  std::fill_n(batch.x.begin() + static_cast<std::ptrdiff_t>(first), count_, 0.0);
  std::fill_n(batch.w.begin() + static_cast<std::ptrdiff_t>(first), count_, 0.0);
  std::fill_n(batch.w0.begin() + static_cast<std::ptrdiff_t>(first), count_,
              -cells() / static_cast<double>(count_) * tensor_->zero_weight());
}

}  // namespace polyad
