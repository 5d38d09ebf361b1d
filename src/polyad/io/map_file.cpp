#include <polyad/base/error.hpp>
#include <polyad/io/map_file.hpp>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace polyad {

bool worth_mapping(Mapping mapping, double bytes) {
  if (mapping != Mapping::automatic) return mapping == Mapping::always;
  // Read at once, up to here, in less time than anybody notices; then in huge pages, which draws at random like better.
  constexpr double soon_read = 256e6;
  return bytes > soon_read;
}

std::shared_ptr<const void> map_file(const InputFile& file, std::uint64_t offset, std::size_t bytes) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t begin = offset / page * page;
  const std::size_t length = bytes + static_cast<std::size_t>(offset - begin);
  struct stat state {};
  if (fstat(file.descriptor(), &state) != 0 || static_cast<std::uint64_t>(state.st_size) < offset + bytes) {
    fail(ErrorKind::file, "cannot map '{}' into memory: it became shorter while it was read", file.path());
  }
  void* const memory = mmap(nullptr, length, PROT_READ, MAP_SHARED, file.descriptor(), static_cast<off_t>(begin));
  if (memory == MAP_FAILED) {
    fail(ErrorKind::file, "cannot map '{}' into memory: {}", file.path(), std::strerror(errno));
  }
  const std::shared_ptr<const void> whole(memory, [length](const void* p) { munmap(const_cast<void*>(p), length); });
  return {whole, static_cast<const char*>(memory) + (offset - begin)};
}

}  // namespace polyad
