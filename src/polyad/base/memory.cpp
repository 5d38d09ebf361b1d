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

std::string bytes_text(double bytes) {
  if (bytes >= 1e12) return fmt::format("{:.3g} TB", bytes / 1e12);
  if (bytes >= 1e9) return fmt::format("{:.3g} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:.3g} MB", bytes / 1e6);
  return fmt::format("{:.3g} kB", bytes / 1e3);
}

}  // namespace polyad
