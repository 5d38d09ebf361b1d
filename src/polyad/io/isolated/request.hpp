#pragma once
// What the two sides of an isolated read agree on besides the wire: descriptors and arguments.

#include <string_view>

namespace polyad {

/// Changes with anything that a program and a reader of different builds would understand differently.
constexpr std::string_view reader_protocol = "polyad-reader-1";

constexpr int reader_input = 3;
constexpr int reader_result = 4;
constexpr int reader_report = 5;

}  // namespace polyad
