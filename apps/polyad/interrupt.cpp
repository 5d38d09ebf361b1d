#include "polyad/interrupt.hpp"

#include <csignal>

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

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return asked_to_stop;
}

}  // namespace polyad::cli
