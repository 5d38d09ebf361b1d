#include "polyad/interrupt.hpp"

#include "polyad/command.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace polyad::cli {

namespace {

std::atomic<bool> asked_to_stop = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void on_signal(int signal) {
  if (asked_to_stop.exchange(true)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

extern "C" void on_lost_file(int) {
  constexpr std::string_view message =
      "polyad: a data file that is mapped into memory became shorter or cannot be read any more; "
      "keep it unchanged while it is in use, or say --memory-map never\n";
  (void)!write(STDERR_FILENO, message.data(), message.size());
  _exit(exit_file);
}

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return asked_to_stop;
}

void watch_files() {
  std::signal(SIGBUS, on_lost_file);
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond a limit then fails as on a full disk
}

}  // namespace polyad::cli
