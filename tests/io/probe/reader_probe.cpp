// polyad-reader with tasks that try what a reader must not be able to do. Each hands over how many of its attempts succeeded.

#include <polyad/io/isolated/reader.hpp>

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

namespace {

using polyad::ReaderJob;

// The file that it may read opens; no other does, for reading, writing or making it; nor is there anything to know about others.
void try_other_files(const ReaderJob& job) {
  const int own = open(job.path.c_str(), O_RDONLY);
  if (own < 0) std::abort();
  const std::string beside = job.path + "-made";
  struct stat state {};
  std::uint64_t succeeded = 0;
  succeeded += open("/etc/passwd", O_RDONLY) >= 0 ? 1 : 0;
  succeeded += open(beside.c_str(), O_WRONLY | O_CREAT, 0600) >= 0 ? 1 : 0;
  succeeded += openat(AT_FDCWD, "/proc/self/mem", O_RDWR) >= 0 ? 1 : 0;
  succeeded += stat("/etc/passwd", &state) == 0 ? 1 : 0;
  succeeded += unlink(job.path.c_str()) == 0 ? 1 : 0;
  succeeded += rename(job.path.c_str(), beside.c_str()) == 0 ? 1 : 0;
  succeeded += link(job.path.c_str(), beside.c_str()) == 0 ? 1 : 0;
  job.out.number(succeeded);
}

// The handle on its own file is for reading.
void try_writing(const ReaderJob& job) {
  const int own = open(job.path.c_str(), O_RDWR);
  job.out.number(own >= 0 && write(own, "x", 1) == 1 ? 1 : 0);
}

void try_connections(const ReaderJob& job) {
  int pair[2] = {};
  std::uint64_t succeeded = 0;
  succeeded += socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 1 : 0;
  succeeded += socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ? 1 : 0;
  succeeded += socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 ? 1 : 0;
  job.out.number(succeeded);
}

void try_processes(const ReaderJob& job) {
  std::uint64_t succeeded = 0;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) ++succeeded;
  char program[] = "/bin/true";
  char* const arguments[] = {program, nullptr};
  execve(program, arguments, nullptr);  // where this succeeds, nothing is handed over
  succeeded += kill(getppid(), 0) == 0 ? 1 : 0;
  job.out.number(succeeded);
}

// As much memory as `variable` says.
void take_memory(const ReaderJob& job) {
  const std::size_t bytes = std::strtoull(job.variable.c_str(), nullptr, 10);
  std::vector<char> taken(bytes, 'x');
  const auto at = static_cast<std::size_t>(getpid()) % bytes;
  job.out.number(taken[at] == 'x' ? 1 : 0);
}

// The same from the system itself, of its own and to be shared: two limits.
void map_memory(const ReaderJob& job) {
  const std::size_t bytes = std::strtoull(job.variable.c_str(), nullptr, 10);
  std::uint64_t succeeded = 0;
  for (const int kind : {MAP_PRIVATE, MAP_SHARED}) {
    void* const taken = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
    succeeded += taken != MAP_FAILED ? 1 : 0;
  }
  job.out.number(succeeded);
}

// Hands over as many bytes as `variable` says, a little at a time.
void hand_over(const ReaderJob& job) {
  const std::string piece(std::size_t{1} << 20, 'x');
  const std::size_t bytes = std::strtoull(job.variable.c_str(), nullptr, 10);
  for (std::size_t done = 0; done < bytes; done += piece.size()) job.out.array(piece);
}

void spin(const ReaderJob&) {
  volatile bool stop = false;
  while (!stop) continue;
}

void wait_for_ever(const ReaderJob&) {
  static std::uint32_t never = 0;
  for (;;) syscall(SYS_futex, &never, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
}

// What of the parent it can see: its environment and open files.
void look_around(const ReaderJob& job) {
  std::uint64_t found = std::getenv("HDF5_PLUGIN_PATH") != nullptr ? 1 : 0;
  for (int descriptor = polyad::reader_report + 1; descriptor < 1024; ++descriptor) {
    found += fcntl(descriptor, F_GETFD) >= 0 ? 1 : 0;
  }
  job.out.number(found);
}

constexpr polyad::ReaderTask probes[] = {
    {"try-other-files", try_other_files},
    {"try-writing", try_writing},
    {"try-connections", try_connections},
    {"try-processes", try_processes},
    {"take-memory", take_memory},
    {"map-memory", map_memory},
    {"hand-over", hand_over},
    {"spin", spin},
    {"wait-for-ever", wait_for_ever},
    {"look-around", look_around},
};

}  // namespace

int main(int argc, char** argv) {
  return polyad::reader_main(argc, argv, probes);
}
