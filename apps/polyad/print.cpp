#include "polyad/print.hpp"
#include "polyad/command.hpp"

#include <polyad/base/error.hpp>

namespace polyad::cli {

void print_trusted(std::FILE* stream, std::string_view text) {
  fmt::print(stream, "{}", text);
}

void print_as_json(const Json& json) {
  print_trusted(stdout, terminal_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n");
}

std::string flag(std::string_view field, std::string_view value) {
  return value.empty() ? fmt::format("--{}", field) : fmt::format("--{} {}", field, value);
}

std::string as_flags(std::string_view text) {
  return shown_options(text, flag);
}

}  // namespace polyad::cli
