#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/io/isolated/reader.hpp>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>

namespace polyad {
namespace {

constexpr std::uint64_t bytes_per_second = 4 << 20;
constexpr double memory_per_byte = 1032.0 * 8 * 3;
constexpr std::size_t most_report = std::size_t{1} << 20;

class Descriptor {
 public:
  explicit Descriptor(int descriptor = -1) : descriptor_(descriptor) {}
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset() {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = -1;
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

bool is_program(const std::string& path) {
  return access(path.c_str(), X_OK) == 0 && !std::filesystem::is_directory(path);
}

std::string beside_this_program() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string() : (self.parent_path() / "polyad-reader").string();
}

// The file that holds this code: the program itself, or a shared library or Python module, which brings its reader along.
std::string beside_this_code() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&is_program), &info) == 0 || info.dli_fname == nullptr) return {};
  const std::filesystem::path self = info.dli_fname;
  if (!self.is_absolute()) return {};  // never the current folder
  return (self.parent_path() / "polyad-reader").string();
}

// The reader gets no more than its loader and the sanitizers need: the HDF5 library loads code that variables name.
std::vector<std::string> reader_environment() {
  std::vector<std::string> out{
      "HDF5_USE_FILE_LOCKING=FALSE"};  // matio would lock files, which some file systems refuse
  for (const char* name : {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) out.push_back(fmt::format("{}={}", name, value));
  }
  return out;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

[[noreturn]] void fail_to_start(const std::string& path, int reason) {
  fail(ErrorKind::file, "cannot read '{}': no process can be started: {}", path, std::strerror(reason));
}

// Above the numbers that the reader expects, so that none is overwritten before it is in its place.
Descriptor moved_up(const std::string& path, int descriptor) {
  Descriptor up(fcntl(descriptor, F_DUPFD_CLOEXEC, 16));
  if (up.get() < 0) fail_to_start(path, errno);
  return up;
}

// By posix_spawn, not by fork: between here and the new program no code of this process runs in the child, so that it does not
// matter which threads there are and which locks they hold. (tests/architecture finds a fork.)
pid_t start_reader(const InputFile& file, int result, int report, std::vector<std::string> arguments) {
  const Descriptor input = moved_up(file.path(), file.descriptor());
  const Descriptor output = moved_up(file.path(), result);
  const Descriptor words = moved_up(file.path(), report);
  std::vector<std::string> environment = reader_environment();
  const std::vector<char*> argument_list = pointers_to(arguments);
  const std::vector<char*> environment_list = pointers_to(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // Libraries print their troubles, sanitizers theirs; all of it comes back as one error instead.
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, input.get(), reader_input);
  posix_spawn_file_actions_adddup2(&actions, output.get(), reader_result);
  posix_spawn_file_actions_adddup2(&actions, words.get(), reader_report);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, crashes;
  sigemptyset(&none);
  sigemptyset(&crashes);
  for (const int crash : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGXFSZ, SIGTERM}) {
    sigaddset(&crashes, crash);
  }
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &crashes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t child = -1;
  const int reason =
      posix_spawn(&child, argument_list[0], &actions, &attributes, argument_list.data(), environment_list.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (reason != 0) fail_to_start(file.path(), reason);
  return child;
}

// What the reader says on its way out; false where it took too long.
bool read_report(int descriptor, std::chrono::steady_clock::time_point deadline, std::string& text) {
  std::array<char, 4096> block;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd wait{descriptor, POLLIN, 0};
    const int ready = poll(&wait, 1, static_cast<int>(std::min<long long>(left.count(), 1000)));
    if (ready <= 0) continue;
    const ssize_t got = read(descriptor, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || text.size() > most_report) return true;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
}

void add_remarks(const std::string& lines, Remarks* remarks) {
  if (remarks == nullptr || lines.empty()) return;
  for (std::size_t begin = 0; begin <= lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    remarks->push_back(lines.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace

std::string reader_program() {
  if (const char* named = secure_getenv("POLYAD_READER"); named != nullptr && *named != '\0') {
    if (is_program(named)) return named;
    fail(ErrorKind::file, "the environment variable POLYAD_READER names '{}', which is not a program", named);
  }
  if (std::string here = beside_this_program(); is_program(here)) return here;
  if (std::string here = beside_this_code(); is_program(here)) return here;
  if (std::string installed = POLYAD_READER_INSTALLED; is_program(installed)) return installed;
  const char* const path = secure_getenv("PATH");
  std::string_view folders = path != nullptr ? path : "";
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
    if (!folder.starts_with('/')) continue;  // never the current folder
    if (std::string found = fmt::format("{}/polyad-reader", folder); is_program(found)) return found;
  }
  fail(ErrorKind::file,
       "the program polyad-reader, which reads HDF5 and .mat files, is neither beside this program nor {} nor on the "
       "PATH: "
       "install it there, or name it in the environment variable POLYAD_READER",
       POLYAD_READER_INSTALLED);
}

IsolatedRead::IsolatedRead(const InputFile& file, const ReaderRequest& request, Remarks* remarks) {
  const std::string& path = file.path();
  if (!file.ordinary())
    fail(ErrorKind::file, "cannot read '{}': this format needs an ordinary file, not a stream", path);
  const std::uint64_t seconds = request.limits.seconds + file.size() / bytes_per_second;
  const double memory =
      std::min(available_memory(), request.limits.memory + memory_per_byte * static_cast<double>(file.size()));
  const std::string limit = std::to_string(memory < 1e18 ? static_cast<std::uint64_t>(memory) : 0);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail_to_start(path, errno);
  const Descriptor report_from(ends[0]);
  Descriptor report_to(ends[1]);
  const pid_t child =
      start_reader(file, memory_.descriptor(), report_to.get(),
                   {reader_program(), std::string(reader_protocol), std::to_string(getpid()), limit,
                    std::to_string(seconds), request.task, path, request.variable, request.facts ? "facts" : ""});
  report_to.reset();
  std::string report;
  // A reader that waits for something uses no processor time.
  const auto deadline =
      std::chrono::steady_clock::now() +
      std::chrono::milliseconds(static_cast<long long>(1000 * request.limits.clock * static_cast<double>(seconds)));
  const bool ended = read_report(report_from.get(), deadline, report);
  if (!ended) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;

  if (!ended || report.empty() || report[0] == 'x') {
    const bool too_long =
        !ended || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
      fail(ErrorKind::file, "cannot read '{}': {} cannot be started; install polyad again", path, reader_program());
    }
    fail(ErrorKind::data, "'{}' is damaged: {}; use another copy", path,
         too_long ? "reading it does not come to an end" : "the library that reads this format fails on it");
  }
  // One line, whatever was in the file; the names of options stay marked (base/error.hpp).
  for (char& c : report) {
    if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\x1e' && c != '\x1f') c = ' ';
  }
  const std::string text = report.substr(1);
  if (report[0] == 'm') throw std::bad_alloc();
  if (report[0] != 'o') {
    std::string line = text;
    std::ranges::replace(line, '\n', ' ');
    throw Error(static_cast<ErrorKind>(std::clamp(report[0] - 'a', 0, static_cast<int>(ErrorKind::file))), line);
  }
  result_.emplace(memory_.descriptor(), path);
  add_remarks(text, remarks);
}

}  // namespace polyad
