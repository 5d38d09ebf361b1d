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

/// Ten rounds, in place.
HWY_INLINE void philox(PhiloxVec& c0, PhiloxVec& c1, PhiloxVec& c2, PhiloxVec& c3,
                       const std::array<std::uint32_t, 2>& key) {
  namespace hn = hwy::HWY_NAMESPACE;
  const PhiloxTag d;
  const PhiloxVec multiplier0 = hn::Set(d, 0xd2511f53u);
  const PhiloxVec multiplier1 = hn::Set(d, 0xcd9e8d57u);
  std::uint32_t k0 = key[0];
  std::uint32_t k1 = key[1];
  for (int round = 0; round < 10; ++round) {
    const PhiloxVec p0 = multiply_words(c0, multiplier0);
    const PhiloxVec p1 = multiply_words(c2, multiplier1);
    c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(p1), c1), hn::Set(d, k0));
    c1 = p1;
    c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(p0), c3), hn::Set(d, k1));
    c3 = p0;
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
}

}  // namespace polyad::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
