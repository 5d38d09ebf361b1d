#include <polyad/base/error.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/temporary_files.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace polyad {
namespace {

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

[[noreturn]] void cannot_write(const std::string& path, int reason) {
  const std::string folder = folder_of(path);
  struct stat state {};
  if (reason == ENOENT && stat(folder.c_str(), &state) != 0) {
    fail(ErrorKind::file, "cannot write '{}': the folder '{}' does not exist", path, folder);
  }
  if (reason == EACCES) fail(ErrorKind::file, "cannot write '{}': no permission to write in '{}'", path, folder);
  fail(ErrorKind::file, "cannot write '{}': {}", path, std::strerror(reason));
}

// Rename would replace a link by a file, and a device by a file: follow the first, refuse the second.
std::string resolve_target(const std::string& path, struct stat& state, bool& exists) {
  if (path.empty()) fail(ErrorKind::file, "cannot write a file without a name");
  exists = false;
  if (stat(path.c_str(), &state) != 0) {
    if (errno != ENOENT) cannot_write(path, errno);
    struct stat link {};
    if (lstat(path.c_str(), &link) == 0) {
      fail(ErrorKind::file, "cannot write '{}': it is a symbolic link to a file that does not exist", path);
    }
    if (path.back() == '/') fail(ErrorKind::file, "cannot write '{}': it names a folder, not a file", path);
    return path;
  }
  if (S_ISDIR(state.st_mode)) fail(ErrorKind::file, "cannot write '{}': it is a folder", path);
  if (!S_ISREG(state.st_mode)) fail(ErrorKind::file, "cannot write '{}': it is not an ordinary file", path);
  exists = true;
  std::error_code error;
  const auto resolved = std::filesystem::canonical(path, error);
  if (error) cannot_write(path, error.value());
  return resolved.string();
}

void sync_folder(const std::string& path) {
  const int folder = open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // the file itself is safe; some file systems let nobody open a folder
  fsync(folder);
  close(folder);
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  struct stat state {};
  bool exists = false;
  target_ = resolve_target(path_, state, exists);
  if (exists && access(target_.c_str(), W_OK) != 0) {
    fail(ErrorKind::file, "cannot write '{}': the file is there and {}", path_,
         errno == EACCES ? "is write-protected" : std::strerror(errno));
  }
  static std::atomic<unsigned> counter{0};
  const std::string folder = folder_of(target_);
  remove_stale_files(folder);
  for (;;) {
    temporary_ = fmt::format("{}/{}{}-{}{}", folder, temporary_prefix, getpid(), counter++, temporary_suffix);
    descriptor_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno == EEXIST) continue;
    if (descriptor_ < 0) cannot_write(path_, errno);
    if (lock_temporary(descriptor_, temporary_)) break;
    close(descriptor_);
  }
  if (exists) (void)!fchmod(descriptor_, state.st_mode & 0777);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!committed_) unlink(temporary_.c_str());
}

void write_all(int descriptor, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      cannot_write(path, errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::write(std::string_view bytes) {
  write_all(descriptor_, path_, bytes);
}

void AtomicFile::commit() {
  // EINVAL: the file system has nothing to synchronise.
  if (fsync(descriptor_) != 0 && errno != EINVAL) cannot_write(path_, errno);
  // Closed only after the new name is there: until then its lock says that the file is in use.
  if (rename(temporary_.c_str(), target_.c_str()) != 0) cannot_write(path_, errno);
  committed_ = true;
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) cannot_write(path_, errno);
  sync_folder(target_);
}

void write_text_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void check_writable(const std::string& path) {
  const AtomicFile probe(path);
}

}  // namespace polyad
