// Philox4x32-10 on whole vectors, equal bit for bit to RandomStream::words (and so to Random123): a lane is a sample.
// Include from a *_simd.cpp.

#if defined(POLYAD_BASE_PHILOX_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef POLYAD_BASE_PHILOX_INL_HPP
#undef POLYAD_BASE_PHILOX_INL_HPP
#else
#define POLYAD_BASE_PHILOX_INL_HPP
#endif

#include <hwy/highway.h>

#include <array>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace polyad::HWY_NAMESPACE {

/// A 32-bit word stands in the low half of a 64-bit lane; the high half is rubbish, which multiplications ignore.
using PhiloxTag = hwy::HWY_NAMESPACE::ScalableTag<std::uint64_t>;
using PhiloxVec = hwy::HWY_NAMESPACE::Vec<PhiloxTag>;

/// The low halves of a and b multiplied, as 64 bits.
HWY_INLINE PhiloxVec multiply_words(PhiloxVec a, PhiloxVec b) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_TARGET == HWY_SCALAR
  constexpr std::uint64_t word = 0xffffffffu;
  return hn::Set(PhiloxTag(), (hn::GetLane(a) & word) * (hn::GetLane(b) & word));
#else
  const hn::Repartition<std::uint32_t, PhiloxTag> words;
  return hn::MulEven(hn::BitCast(words, a), hn::BitCast(words, b));
#endif
}

/// The keys of the ten rounds, made once for many counters.
class PhiloxKeys {
 public:
  explicit PhiloxKeys(const std::array<std::uint32_t, 2>& key) {
    std::uint32_t k0 = key[0];
    std::uint32_t k1 = key[1];
    for (int round = 0; round < rounds; ++round) {
      keys_[2 * round] = hwy::HWY_NAMESPACE::Set(PhiloxTag(), k0);
      keys_[2 * round + 1] = hwy::HWY_NAMESPACE::Set(PhiloxTag(), k1);
      k0 += 0x9e3779b9u;
      k1 += 0xbb67ae85u;
    }
  }

  /// Turns `Count` vectors of counters, four words each, into random words. Several at once, because each round waits for
  /// the one before.
  template <std::size_t Count>
  HWY_INLINE void encrypt(PhiloxVec (&c)[Count][4]) const {
    namespace hn = hwy::HWY_NAMESPACE;
    const PhiloxVec multiplier0 = hn::Set(PhiloxTag(), 0xd2511f53u);
    const PhiloxVec multiplier1 = hn::Set(PhiloxTag(), 0xcd9e8d57u);
#pragma GCC unroll 10
    for (int round = 0; round < rounds; ++round) {
#pragma GCC unroll 4
      for (auto& word : c) {
        const PhiloxVec p0 = multiply_words(word[0], multiplier0);
        const PhiloxVec p1 = multiply_words(word[2], multiplier1);
        word[0] = hn::Xor(hn::Xor(hn::ShiftRight<32>(p1), word[1]), keys_[2 * round]);
        word[1] = p1;
        word[2] = hn::Xor(hn::Xor(hn::ShiftRight<32>(p0), word[3]), keys_[2 * round + 1]);
        word[3] = p0;
      }
    }
  }

 private:
  static constexpr int rounds = 10;
  PhiloxVec keys_[2 * rounds];
};

}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
