#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/model/factors.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <new>

namespace polyad {

namespace {

constexpr std::size_t doubles_a_line = cache_line / sizeof(double);

[[noreturn]] void too_large(const std::vector<std::uint64_t>& extents, std::size_t rank) {
  double doubles = 0;
  for (const auto n : extents) doubles += static_cast<double>(n) * static_cast<double>(row_stride(rank));
  fail(ErrorKind::data, "factors of rank {} for {} need {}, more memory than there is: reduce the rank or the shape",
       rank, fmt::join(extents, " x "), bytes_text(doubles * sizeof(double)));
}

}  // namespace

Factors::Factors(std::vector<std::uint64_t> extents, std::size_t rank)
    : extents_(std::move(extents)), rank_(rank), stride_(row_stride(rank)) {
  constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double);
  std::size_t total = 0;
  begin_.reserve(extents_.size());
  for (const std::uint64_t n : extents_) {
    total = (total + doubles_a_line - 1) / doubles_a_line * doubles_a_line;
    begin_.push_back(total);
    if (stride_ > 0 && n > (most - total) / stride_) too_large(extents_, rank_);
    total += n * stride_;
  }
  try {
    data_.assign(total, 0.0);
  } catch (const std::bad_alloc&) {
    too_large(extents_, rank_);
  }
}

void Factors::set_zero() {
  std::fill(data_.begin(), data_.end(), 0.0);
}

void Factors::clear_padding() {
  if (rank_ == stride_) return;
  for (std::size_t k = 0; k < modes(); ++k) {
    for (std::size_t i = 0; i < rows(k); ++i) std::fill(row(k, i) + rank_, row(k, i) + stride_, 0.0);
  }
}

// Adding one to the exponent overflows into the sign bit exactly for infinities and NaN. An OR over all
// entries instead of an early exit: it vectorises, and in a healthy fit there is no early exit.
bool Factors::all_finite() const {
  constexpr std::uint64_t exponent = 0x7ff0000000000000u;
  constexpr std::uint64_t one = 0x0010000000000000u;
  std::uint64_t seen = 0;
  for (const double v : data_) seen |= (std::bit_cast<std::uint64_t>(v) & exponent) + one;
  return (seen >> 63) == 0;
}

}  // namespace polyad
