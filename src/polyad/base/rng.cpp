#include <polyad/base/rng.hpp>

#include <Random123/philox.h>

namespace polyad {

namespace {

using Philox = r123::Philox4x32;

RandomStream::Words philox(const std::array<std::uint32_t, 2>& key, const RandomStream::Words& counter) {
  const Philox::ctr_type out = Philox{}({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
  return {out[0], out[1], out[2], out[3]};
}

std::uint32_t low_half(std::uint64_t v) {
  return static_cast<std::uint32_t>(v);
}
std::uint32_t high_half(std::uint64_t v) {
  return static_cast<std::uint32_t>(v >> 32);
}

}  // namespace

// The 160 bits of (seed, purpose, start) are mixed down to the 64 of a key by Philox itself, so that neighbouring
// seeds give unrelated keys.
RandomStream::RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t start) {
  const Words mixed = philox({low_half(seed), high_half(seed)},
                             {static_cast<std::uint32_t>(purpose), low_half(start), high_half(start), 0x706f6c79u});
  key_ = {mixed[0], mixed[1]};
}

RandomStream::Words RandomStream::words(std::uint64_t draw, std::uint32_t part, std::uint32_t sample,
                                        std::uint32_t block) const {
  return philox(key_, counter(draw, part, sample, block));
}

double open_unit(std::uint32_t low, std::uint32_t high) {
  const std::uint64_t word = (static_cast<std::uint64_t>(high) << 32) | low;
  // 52 bits and a half: with 53 the sum would round, up to 1 at the upper end.
  return (static_cast<double>(word >> 12) + 0.5) * 0x1p-52;
}

Generator::result_type Generator::operator()() {
  const auto half = position_ & 1;
  if (half == 0) block_ = stream_.words(position_ >> 33, 0, static_cast<std::uint32_t>(position_ >> 1), 0);
  ++position_;
  return (static_cast<std::uint64_t>(block_[2 * half + 1]) << 32) | block_[2 * half];
}

double Generator::unit() {
  const result_type word = (*this)();
  return open_unit(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32));
}

}  // namespace polyad
