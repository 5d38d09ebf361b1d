#pragma once
// Counter-based random numbers (Philox4x32-10, Random123): a random word is a pure function of who asks for it. That is
// what makes a fit bitwise the same on any number of threads, and after a resume as without one.
//
//   key     = (seed, purpose, start)         which family of draws
//   counter = (draw, part, sample, block)    which draw: `draw` counts batches and never rewinds
//
// Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (2011).

#include <array>
#include <cstdint>
#include <limits>

namespace polyad {

/// What random numbers are for; streams of different purposes never share a key.
enum class Purpose : std::uint32_t { guess = 1, gradient = 2, estimate = 3, problem = 4, held_out = 5 };

class RandomStream {
 public:
  using Words = std::array<std::uint32_t, 4>;

  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t start = 0);

  /// Four independent words. `draw` < 2^48, `part` < 2^16.
  Words words(std::uint64_t draw, std::uint32_t part, std::uint32_t sample, std::uint32_t block) const;

  /// The key, and the counter of these words, for kernels that make many at once (philox-inl.hpp).
  const std::array<std::uint32_t, 2>& key() const { return key_; }
  static Words counter(std::uint64_t draw, std::uint32_t part, std::uint32_t sample, std::uint32_t block) {
    return {sample, block, static_cast<std::uint32_t>(draw), (static_cast<std::uint32_t>(draw >> 32) << 16) | part};
  }

 private:
  std::array<std::uint32_t, 2> key_;
};

/// Uniform on 0 .. n-1 from 32 random bits by multiply-high; only for n <= 2^16, where the bias is below 2^-16.
inline std::uint32_t bounded32(std::uint32_t word, std::uint32_t n) {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(word) * n) >> 32);
}

/// Uniform on 0 .. n-1 from 64 random bits by multiply-high.
inline std::uint64_t bounded64(std::uint32_t low, std::uint32_t high, std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t word = (static_cast<std::uint64_t>(high) << 32) | low;
  return static_cast<std::uint64_t>((static_cast<Wide>(word) * n) >> 64);
}

/// Uniform on (0, 1), never 0 and never 1, from 64 random bits (52 are used).
double open_unit(std::uint32_t low, std::uint32_t high);

/// A plain sequence of 64-bit words over a stream, for standard and Boost distributions.
class Generator {
 public:
  using result_type = std::uint64_t;
  explicit Generator(RandomStream stream) : stream_(stream) {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()();
  /// Uniform on (0, 1).
  double unit();

 private:
  RandomStream stream_;
  std::uint64_t position_ = 0;
  RandomStream::Words block_{};
};

}  // namespace polyad
