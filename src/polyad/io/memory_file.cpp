#include <polyad/base/error.hpp>
#include <polyad/io/memory_file.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

namespace polyad {
namespace {

constexpr std::string_view scratch_name = "polyad-scratch-";

// The process is in the name, so that a file whose process is gone can be told from one in use.
void remove_left_behind(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(scratch_name)) continue;
    const pid_t owner = std::atoi(name.c_str() + scratch_name.size());
    if (owner > 0 && kill(owner, 0) != 0 && errno == ESRCH) std::filesystem::remove(entry.path(), ignored);
  }
}

}  // namespace

MemoryFile::MemoryFile() : descriptor_(memfd_create("polyad", MFD_CLOEXEC)) {
  if (descriptor_ < 0) fail(ErrorKind::file, "cannot make a file in memory: {}", std::strerror(errno));
}

MemoryFile::~MemoryFile() {
  close(descriptor_);
}

ScratchFile::ScratchFile() {
  for (const std::string& folder : {std::string("/dev/shm"), std::filesystem::temp_directory_path().string()}) {
    remove_left_behind(folder);
    path_ = fmt::format("{}/{}{}-XXXXXX", folder, scratch_name, getpid());
    const int descriptor = mkostemp(path_.data(), O_CLOEXEC);
    if (descriptor < 0) continue;
    close(descriptor);
    return;
  }
  fail(ErrorKind::file, "cannot make a temporary file '{}': {}", path_, std::strerror(errno));
}

ScratchFile::~ScratchFile() {
  unlink(path_.c_str());
}

}  // namespace polyad
