#include <polyad/detail/aligned.hpp>

#include <sys/mman.h>

#include <new>

namespace polyad {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

// Memory of some huge pages, where the rest of the last one is no waste.
bool in_huge_pages(std::size_t bytes) {
  return bytes >= 4 * huge_page;
}

}  // namespace

void* allocate_aligned(std::size_t bytes) {
  if (!in_huge_pages(bytes)) return ::operator new (bytes, std::align_val_t{cache_line});
  const std::size_t whole = (bytes + huge_page - 1) / huge_page * huge_page;
  void* const memory = ::operator new (whole, std::align_val_t{huge_page});
  madvise(memory, whole, MADV_HUGEPAGE);  // a wish: where it is not granted, pages are small
  return memory;
}

void free_aligned(void* memory, std::size_t bytes) {
  ::operator delete (memory, std::align_val_t{in_huge_pages(bytes) ? huge_page : cache_line});
}

}  // namespace polyad
