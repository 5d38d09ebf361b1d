#include <polyad/base/error.hpp>
#include <polyad/io/temporary_files.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>

namespace polyad {
namespace {

bool is_same_file(int descriptor, const std::string& path) {
  struct stat open_one {
  }, named{};
  return fstat(descriptor, &open_one) == 0 && lstat(path.c_str(), &named) == 0 && open_one.st_ino == named.st_ino &&
         open_one.st_dev == named.st_dev;
}

// Only with the lock in hand: a writer that lives holds it, and one that has just made the file looks again after locking.
void remove_if_stale(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  struct stat state {};
  const bool ordinary = fstat(file, &state) == 0 && S_ISREG(state.st_mode);
  if (ordinary && flock(file, LOCK_EX | LOCK_NB) == 0 && is_same_file(file, path)) unlink(path.c_str());
  close(file);
}

bool first_look(const std::string& folder) {
  static std::mutex mutex;
  static std::set<std::string> seen;
  const std::lock_guard lock(mutex);
  return seen.insert(folder).second;
}

constexpr std::string_view scratch_name = "polyad-scratch-";

// The process is in the name, so that a file whose process is gone is recognised.
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

bool lock_temporary(int descriptor, const std::string& path) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  return is_same_file(descriptor, path);
}

void remove_stale_files(const std::string& folder) {
  if (!first_look(folder)) return;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(temporary_prefix) && name.ends_with(temporary_suffix)) remove_if_stale(entry->path().string());
  }
}

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
