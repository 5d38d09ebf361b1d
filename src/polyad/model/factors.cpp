#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/base/text.hpp>
#include <polyad/model.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <new>
#include <type_traits>

namespace polyad {

namespace {

[[noreturn]] void too_large(const std::vector<std::uint64_t>& extents, std::size_t rank, std::size_t number_bytes) {
  double numbers = 0;
  for (const auto n : extents) numbers += static_cast<double>(n) * static_cast<double>(row_stride(rank));
  fail(ErrorKind::data, "factors of rank {} for {} need {}, more memory than there is: reduce the rank or the shape",
       rank, joined(extents, " x "), bytes_text(numbers * static_cast<double>(number_bytes)));
}

}  // namespace

template <class T>
FactorsOf<T>::FactorsOf(std::vector<std::uint64_t> extents, std::size_t rank)
    : extents_(std::move(extents)), rank_(rank), stride_(row_stride(rank)) {
  constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T);
  constexpr std::size_t line = cache_line / sizeof(T);
  std::size_t total = 0;
  begin_.reserve(extents_.size());
  for (const std::uint64_t n : extents_) {
    total = (total + line - 1) / line * line;
    begin_.push_back(total);
    if (n > max_held_extent || (stride_ > 0 && n > (most - total) / stride_)) too_large(extents_, rank_, sizeof(T));
    total += n * stride_;
  }
  try {
    data_.assign(total, T{0});
  } catch (const std::bad_alloc&) {
    too_large(extents_, rank_, sizeof(T));
  }
}

template <class T>
void FactorsOf<T>::set_zero() {
  std::fill(data_.begin(), data_.end(), T{0});
}

template <class T>
void FactorsOf<T>::clear_padding() {
  for (std::size_t k = 0; k < modes(); ++k) clear_padding(k, 0, rows(k));
}

template <class T>
void FactorsOf<T>::clear_padding(std::size_t mode, std::size_t begin, std::size_t end) {
  if (rank_ == stride_) return;
  for (std::size_t i = begin; i < end; ++i) std::fill(row(mode, i) + rank_, row(mode, i) + stride_, T{0});
}

// Adding one to the exponent overflows into the sign bit exactly for infinities and NaN. An OR over all
// entries instead of an early exit: it vectorises, and in a healthy fit there is no early exit.
template <class T>
bool FactorsOf<T>::all_finite() const {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  constexpr int mantissa = std::numeric_limits<T>::digits - 1;
  constexpr int sign = 8 * sizeof(T) - 1;
  constexpr Bits exponent = ((Bits{1} << sign) - 1) >> mantissa << mantissa;
  Bits seen = 0;
  for (const T v : data_) seen |= (std::bit_cast<Bits>(v) & exponent) + (Bits{1} << mantissa);
  return (seen >> sign) == 0;
}

template class FactorsOf<double>;
template class FactorsOf<float>;

}  // namespace polyad
