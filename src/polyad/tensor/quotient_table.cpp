#include <polyad/tensor/quotient_table.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace polyad {

namespace {

// Fractional digits of pi, made odd: arbitrary, without pattern.
constexpr std::uint64_t first_factor = 0x243f6a8885a308d3u;

unsigned log2_floor(std::uint64_t n) {
  return static_cast<unsigned>(std::bit_width(n)) - 1;
}

}  // namespace

bool SpillSet::insert(std::uint64_t word) {
  if (2 * (size_ + 1) > words_.size()) grow();
  for (std::size_t at = home(word);; at = (at + 1) & (words_.size() - 1)) {
    if (words_[at] == word) return false;
    if (words_[at] != none) continue;
    words_[at] = word;
    ++size_;
    return true;
  }
}

void SpillSet::grow() {
  const std::size_t length = words_.empty() ? 16 : 2 * words_.size();
  const std::vector<std::uint64_t> before = std::exchange(words_, std::vector<std::uint64_t>(length, none));
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(length));
  size_ = 0;
  for (const std::uint64_t word : before) {
    if (word != none) insert(word);
  }
}

template <class Remainder>
std::optional<std::uint64_t> QuotientTable<Remainder>::buckets_for(unsigned bits, std::size_t capacity) {
  // Cells a bucket should hold: 64/3 of 32, 10 of 16.
  constexpr std::uint64_t thirds = slots == 32 ? 64 : 30;
  const std::uint64_t by_load = 3 * static_cast<std::uint64_t>(capacity) / thirds + 1;
  if (bits >= 64) return std::nullopt;
  const std::uint64_t by_remainder = bits > most_bits ? std::uint64_t{1} << (bits - most_bits) : 1;
  const std::uint64_t buckets = std::max(by_load, by_remainder);
  if (buckets > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return buckets;
}

template <class Remainder>
QuotientTable<Remainder>::QuotientTable(const IndexSpace& space, std::size_t capacity)
    : QuotientTable(space, key_bits(space), *buckets_for(key_bits(space), capacity)) {}

// A number also fits into more bits than it needs; there must be at least one bit of remainder.
template <class Remainder>
QuotientTable<Remainder>::QuotientTable(const IndexSpace& space, unsigned bits, std::uint64_t buckets)
    : key_(space, first_factor << (64 - std::max(bits, log2_floor(buckets) + 1))),
      half_(std::max(1u, std::max(bits, log2_floor(buckets) + 1) / 2)),
      rest_shift_(64 - std::max(bits, log2_floor(buckets) + 1) + log2_floor(buckets)),
      mask_(~std::uint64_t{0} << (64 - std::max(bits, log2_floor(buckets) + 1))) {
  Bucket bucket;
  bucket.rest.fill(empty);
  buckets_.assign(static_cast<std::size_t>(buckets), bucket);
}

template <class Remainder>
bool QuotientTable<Remainder>::insert(Place place) {
  if (contains(place)) return false;
  Bucket& bucket = buckets_[place >> 32];
  if (bucket.full()) return spill_.insert(place);
  Remainder used = 0;
  for (std::size_t i = 0; i < slots; ++i) used += static_cast<Remainder>(bucket.rest[i] != empty ? 1 : 0);
  bucket.rest[used] = static_cast<Remainder>(place);
  return true;
}

template class QuotientTable<std::uint16_t>;
template class QuotientTable<std::uint32_t>;

}  // namespace polyad
