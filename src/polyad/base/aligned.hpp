#pragma once
// Vectors whose first element starts a cache line, so that rows padded to SIMD width never straddle one
// needlessly.

#include <cstddef>
#include <new>
#include <vector>

namespace polyad {

inline constexpr std::size_t cache_line = 64;

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT(google-explicit-constructor): allocators convert
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{cache_line})); }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{cache_line}); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace polyad
