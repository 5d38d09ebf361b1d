#pragma once
// What the terminal is like, and numbers for people.

#include <cstddef>
#include <cstdint>
#include <string>

namespace polyad::cli {

bool stdout_is_terminal();
bool stderr_is_terminal();
/// Columns of the terminal behind standard output (or error), 80 where there is none; COLUMNS overrides.
std::size_t terminal_width();
/// Whether to use colour on standard output: a terminal, and NO_COLOR not set.
bool use_color();

/// "4.2 s", "3 min 20 s", "1 h 02 min"
std::string duration(double seconds);

}  // namespace polyad::cli
