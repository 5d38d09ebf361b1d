#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>

#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <string>

namespace polyad {

double available_memory() {
  std::ifstream info("/proc/meminfo");
  std::string name;
  double kilobytes = 0;
  std::string unit;
  while (info >> name >> kilobytes) {
    if (name == "MemAvailable:") return kilobytes * 1024;
    std::getline(info, unit);
  }
  return std::numeric_limits<double>::infinity();
}

double private_memory() {
  std::ifstream status("/proc/self/status");
  std::string name;
  while (status >> name) {
    double kilobytes = 0;
    if (name == "VmData:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

void require_memory(double bytes, const std::string& what) {
  // Asking the system costs microseconds; small things just fit.
  constexpr double small = 64e6;
  if (bytes < small) return;
  const double there_is = available_memory();
  if (bytes <= there_is) return;
  fail(ErrorKind::data,
       "{} needs about {} of memory, {} are available; use a larger machine or a smaller part of the data", what,
       bytes_text(bytes), bytes_text(there_is));
}

std::string bytes_text(double bytes) {
  if (bytes >= 1e12) return fmt::format("{:.3g} TB", bytes / 1e12);
  if (bytes >= 1e9) return fmt::format("{:.3g} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:.3g} MB", bytes / 1e6);
  return fmt::format("{:.3g} kB", bytes / 1e3);
}

void require_memory(std::string_view what_for, double bytes) {
  const double there_is = available_memory();
  if (bytes > there_is) {
    fail(ErrorKind::data, "{} needs {} of memory, {} are available", what_for, bytes_text(bytes), bytes_text(there_is));
  }
}

}  // namespace polyad
