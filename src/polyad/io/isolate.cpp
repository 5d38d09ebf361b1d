#include <polyad/base/error.hpp>
#include <polyad/base/joined.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/input_file.hpp>
#include <polyad/io/isolate.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>

// Sanitizers map far more memory than they use: no limit can be set on it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define POLYAD_WITH_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define POLYAD_WITH_SANITIZER
#endif
#endif

namespace polyad {
namespace {

constexpr rlim_t seconds_at_least = 20;
constexpr std::uint64_t bytes_a_second = 4 << 20;
// Memory for the child: deflate packs a byte's worth of 1032 at most, bytes may become doubles, and there may be three copies.
// A small file that asks for more is damaged; it must not drive everything else out of memory before it fails.
constexpr double memory_at_least = 512e6;
constexpr double memory_a_byte = 1032.0 * 8 * 3;

// What the child says on its way out: a letter for the outcome, then an error's message or a remark a line.
std::string outcome_of(const ScratchFile& result, const std::function<void(const ScratchFile&, Remarks&)>& translate) {
  Remarks remarks;
  try {
    translate(result, remarks);
  } catch (const Error& error) {
    return fmt::format("{}{}", static_cast<char>('a' + static_cast<int>(error.kind())), error.text());
  } catch (const std::bad_alloc&) {
    return "m";
  } catch (...) {
    return "x";
  }
  return fmt::format("o{}", joined(remarks, "\n"));
}

[[noreturn]] void run_child(const ScratchFile& result, int report, std::uint64_t file_bytes,
                            const std::function<void(const ScratchFile&, Remarks&)>& translate) {
  // Libraries print their troubles, sanitizers theirs; all of it comes back as one error instead.
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  for (const int crash : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) std::signal(crash, SIG_DFL);
  const rlim_t seconds = seconds_at_least + file_bytes / bytes_a_second;
  const rlimit time{seconds, seconds};
  setrlimit(RLIMIT_CPU, &time);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
#ifndef POLYAD_WITH_SANITIZER
  // The limit counts what the parent had as well.
  const double memory =
      std::min(available_memory(), memory_at_least + memory_a_byte * static_cast<double>(file_bytes)) +
      private_memory();
  if (memory < 1e18) {
    const rlimit most{static_cast<rlim_t>(memory), static_cast<rlim_t>(memory)};
    setrlimit(RLIMIT_DATA, &most);
  }
#endif
  const std::string outcome = outcome_of(result, translate);
  try {
    write_all(report, "the report", outcome);
  } catch (const Error&) {
    _exit(1);  // nobody listens any more
  }
  _exit(0);
}

std::string read_report(int descriptor) {
  std::string text;
  std::array<char, 4096> block;
  for (;;) {
    const ssize_t got = read(descriptor, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

ScratchFile::ScratchFile() {
  for (const std::string& folder : {std::string("/dev/shm"), std::filesystem::temp_directory_path().string()}) {
    path_ = folder + "/polyad-XXXXXX";
    descriptor_ = mkostemp(path_.data(), O_CLOEXEC);
    if (descriptor_ >= 0) return;
  }
  fail(ErrorKind::file, "cannot make a temporary file '{}': {}", path_, std::strerror(errno));
}

ScratchFile::~ScratchFile() {
  close(descriptor_);
  unlink(path_.c_str());
}

void isolated(const std::string& path, const ScratchFile& result, Remarks* remarks,
              const std::function<void(const ScratchFile&, Remarks&)>& translate) {
  const std::uint64_t file_bytes = InputFile(path).size();
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) {
    fail(ErrorKind::file, "cannot read '{}': {}", path, std::strerror(errno));
  }
  const pid_t child = fork();
  if (child == 0) {
    close(pipe_ends[0]);
    run_child(result, pipe_ends[1], file_bytes, translate);
  }
  const int reason = errno;
  close(pipe_ends[1]);
  if (child < 0) {
    close(pipe_ends[0]);
    fail(ErrorKind::file, "cannot read '{}': no process can be started: {}", path, std::strerror(reason));
  }
  const std::string report = read_report(pipe_ends[0]);
  close(pipe_ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;

  if (report.empty() || report[0] == 'x') {
    const bool too_long = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
    fail(ErrorKind::data, "'{}' is damaged: {}; use another copy", path,
         too_long ? "reading it does not come to an end" : "the library that reads this format fails on it");
  }
  const std::string text = report.substr(1);
  if (report[0] == 'm') throw std::bad_alloc();
  if (report[0] != 'o') throw Error(static_cast<ErrorKind>(report[0] - 'a'), text);
  if (remarks == nullptr || text.empty()) return;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    remarks->push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace polyad
