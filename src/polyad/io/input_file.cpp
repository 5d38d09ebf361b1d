#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/io/input_file.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace polyad {
namespace {

constexpr std::size_t start_bytes = 1024;
// Real data stay far below: lists of entries shrink to between a third and a fiftieth.
constexpr double most_unpacking = 200;

}  // namespace

InputFile::InputFile(std::string path, std::optional<double> unpacked_limit)
    : path_(std::move(path)), unpacked_limit_(unpacked_limit) {
  descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail(ErrorKind::file, "cannot read '{}': {}", path_, std::strerror(errno));
  try {
    struct stat state {};
    if (fstat(descriptor_, &state) != 0) fail(ErrorKind::file, "cannot read '{}': {}", path_, std::strerror(errno));
    if (S_ISDIR(state.st_mode)) fail(ErrorKind::file, "cannot read '{}': it is a folder, not a file", path_);
    ordinary_ = S_ISREG(state.st_mode);
    if (ordinary_) size_ = static_cast<std::uint64_t>(state.st_size);
    start_.resize(start_bytes);
    std::size_t filled = 0;
    while (filled < start_bytes) {
      const std::size_t got = read_some(start_.data() + filled, start_bytes - filled);
      if (got == 0) break;
      filled += got;
    }
    start_.resize(filled);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

InputFile::~InputFile() {
  close(descriptor_);
}

std::size_t InputFile::read_some(char* out, std::size_t count) {
  for (;;) {
    const ssize_t got = ::read(descriptor_, out, count);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail(ErrorKind::file, "cannot read '{}': {}", path_, std::strerror(errno));
  }
}

std::size_t InputFile::read(char* out, std::size_t count) {
  if (start_used_ < start_.size()) {
    const std::size_t part = std::min(count, start_.size() - start_used_);
    std::memcpy(out, start_.data() + start_used_, part);
    start_used_ += part;
    taken_ += part;
    return part;
  }
  const std::size_t got = read_some(out, count);
  taken_ += got;
  return got;
}

void InputFile::read_at(std::uint64_t offset, char* out, std::size_t count) {
  while (count > 0) {
    const ssize_t got = pread(descriptor_, out, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(ErrorKind::file, "cannot read '{}': {}", path_, std::strerror(errno));
    if (got == 0) fail(ErrorKind::data, "'{}' ends early: it became shorter while it was read", path_);
    out += got;
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

Compression InputFile::compression() const {
  const std::string_view bytes = start_;
  if (bytes.starts_with("\x1f\x8b")) return Compression::gzip;
  return bytes.starts_with("\x28\xb5\x2f\xfd") ? Compression::zstd : Compression::none;
}

double InputFile::most_unpacked(double at_least) const {
  if (unpacked_limit_) return *unpacked_limit_ * 1e9;
  return std::max(at_least, most_unpacking * static_cast<double>(ordinary_ ? size_ : taken_));
}

void InputFile::unpacks_to_too_much(double most) const {
  fail(ErrorKind::data,
       "'{}' is compressed and unpacks to more than {}{}; if its data are really that large, raise `unpacked-limit`, "
       "which is in GB",
       path_, bytes_text(most), unpacked_limit_ ? "" : ", far more than data of its size do");
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
