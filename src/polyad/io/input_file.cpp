#include <polyad/base/error.hpp>
#include <polyad/io/input_file.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace polyad {
namespace {

constexpr std::size_t start_bytes = 1024;
constexpr std::string_view hdf5_signature{"\x89HDF\r\n\x1a\n", 8};

}  // namespace

InputFile::InputFile(std::string path) : path_(std::move(path)) {
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

FileFormat InputFile::format() const {
  const std::string_view bytes = start_;
  if (bytes.starts_with("MATLAB 5.0")) return FileFormat::mat5;
  if (bytes.starts_with("MATLAB 7.3")) return FileFormat::mat73;
  // A program may put a block of its own before the HDF5 signature (MATLAB does: 512 bytes).
  if (bytes.starts_with(hdf5_signature)) return FileFormat::hdf5;
  if (bytes.size() >= 520 && bytes.substr(512).starts_with(hdf5_signature)) return FileFormat::hdf5;
  if (bytes.starts_with("\x93NUMPY")) return FileFormat::npy;
  if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06")) return FileFormat::zip;
  if (bytes.starts_with("\x1f\x8b")) return FileFormat::gzip;
  if (bytes.starts_with("\x28\xb5\x2f\xfd")) return FileFormat::zstd;
  return unsupported().empty() ? FileFormat::text : FileFormat::other;
}

std::string_view InputFile::unsupported() const {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> known{{
      {"\xfd"
       "7zXZ",
       "compressed by xz"},
      {"BZh", "compressed by bzip2"},
      {"%PDF", "a PDF document"},
      // Its numbers could pass for entries of a .tns file.
      {"# Created by Octave", "Octave's own text (in Octave, save -v7 writes what polyad reads)"},
  }};
  for (const auto& [beginning, text] : known) {
    if (std::string_view(start_).starts_with(beginning)) return text;
  }
  return {};
}

std::string format_name(const InputFile& file) {
  switch (file.format()) {
    case FileFormat::hdf5:
      return "an HDF5 file";
    case FileFormat::npy:
      return "a NumPy array";
    case FileFormat::zip:
      return "a zip archive";
    case FileFormat::mat5:
    case FileFormat::mat73:
      return "a MATLAB .mat file";
    case FileFormat::zstd:
      return "compressed by zstd";
    case FileFormat::gzip:
      return "compressed by gzip";
    case FileFormat::text:
      return file.start().empty() ? "an empty file" : "a text file";
    case FileFormat::other:
      break;
  }
  return std::string(file.unsupported());
}

}  // namespace polyad
