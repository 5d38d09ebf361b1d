#include <polyad/base/error.hpp>

namespace polyad {

void fail_formatted(ErrorKind kind, fmt::string_view format, fmt::format_args args) {
  throw Error(kind, fmt::vformat(format, args));
}

}  // namespace polyad
