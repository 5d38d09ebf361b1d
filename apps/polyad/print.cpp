#include "polyad/print.hpp"
#include "polyad/command.hpp"

#include <polyad/base/error.hpp>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>

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

bool stdout_is_terminal() {
  return isatty(STDOUT_FILENO) != 0;
}
bool stderr_is_terminal() {
  return isatty(STDERR_FILENO) != 0;
}

std::size_t terminal_width() {
  if (const char* columns = std::getenv("COLUMNS")) {
    const long n = std::strtol(columns, nullptr, 10);
    if (n >= 20) return static_cast<std::size_t>(n);
  }
  winsize size{};
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
  }
  return 80;
}

bool use_color() {
  return stdout_is_terminal() && std::getenv("NO_COLOR") == nullptr;
}

std::string duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace polyad::cli
