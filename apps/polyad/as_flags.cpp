#include "polyad/command.hpp"

#include <fmt/format.h>

namespace polyad::cli {

std::string flag(std::string_view field, std::string_view value) {
  return value.empty() ? fmt::format("--{}", field) : fmt::format("--{} {}", field, value);
}

std::string as_flags(std::string_view text) {
  return shown_options(text, flag);
}

}  // namespace polyad::cli
