#pragma once
// Ctrl-C and SIGTERM ask for an orderly end; a second Ctrl-C ends at once.

#include <atomic>

namespace polyad::cli {

/// Installs the handlers (once) and returns the flag they set.
const std::atomic<bool>& watch_interrupts();

}  // namespace polyad::cli
