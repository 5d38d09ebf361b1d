#pragma once
// Ctrl-C and SIGTERM ask for an orderly end; a second Ctrl-C ends at once.

#include <atomic>

namespace polyad::cli {

/// Installs the handlers (once) and returns the flag they set.
const std::atomic<bool>& watch_interrupts();

/// From now on a mapped file that is shortened by another program, or whose disk fails, and a file that grows beyond a limit
/// (ulimit -f) end the program with a message and the exit code of file trouble instead of a crash.
void watch_files();

}  // namespace polyad::cli
