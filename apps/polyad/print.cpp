#include "polyad/print.hpp"
#include <polyad/base/error.hpp>

namespace polyad::cli {

void print_trusted(std::FILE* stream, std::string_view text) {
  fmt::print(stream, "{}", text);
}

void print_as_json(const Json& json) {
  print_trusted(stdout, terminal_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n");
}

}  // namespace polyad::cli
