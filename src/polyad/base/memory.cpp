#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/detail/aligned.hpp>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <new>
#include <string>

namespace polyad {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

double machine_memory() {
  std::ifstream info("/proc/meminfo");
  std::string name;
  double kilobytes = 0;
  std::string unit;
  while (info >> name >> kilobytes) {
    if (name == "MemAvailable:") return kilobytes * 1024;
    std::getline(info, unit);
  }
  return unlimited;
}

// What the limit of one control group leaves: all but the memory that no file can give back.
double left_in(const std::string& group, const char* limit_file, const std::string& taken_key) {
  double limit = 0;
  if (!(std::ifstream(group + limit_file) >> limit)) return unlimited;  // none, or "max"
  std::ifstream stat(group + "/memory.stat");
  std::string key;
  double value = 0;
  while (stat >> key >> value) {
    if (key == taken_key) return std::max(0.0, limit - value);
  }
  return limit;
}

// Containers, batch systems and services limit memory by control groups (version 1 or 2), each within its parent.
double group_memory() {
  double least = unlimited;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string kind = line.substr(first + 1, second - first - 1);
    if (!kind.empty() && kind != "memory") continue;
    std::string path = line.substr(second + 1);
    for (;;) {
      if (path == "/") path.clear();
      least = std::min(least, kind.empty()
                                  ? left_in("/sys/fs/cgroup" + path, "/memory.max", "anon")
                                  : left_in("/sys/fs/cgroup/memory" + path, "/memory.limit_in_bytes", "total_rss"));
      if (path.empty()) break;
      path.resize(path.rfind('/'));
    }
  }
  return least;
}

}  // namespace

double available_memory() {
  return std::min(machine_memory(), group_memory());
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

void expect_random_reads(const void* data, std::size_t bytes) {
  if (static_cast<double>(bytes) <= available_memory()) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(data) / page * page;
  const std::size_t length = reinterpret_cast<std::uintptr_t>(data) + bytes - begin;
  madvise(reinterpret_cast<void*>(begin), length, MADV_RANDOM);  // a wish: what it says holds without
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

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

// Memory of some huge pages, where the rest of the last one is no waste.
bool in_huge_pages(std::size_t bytes) {
  return bytes >= 4 * huge_page;
}

}  // namespace

void* allocate_aligned(std::size_t bytes) {
  if (!in_huge_pages(bytes)) return ::operator new (bytes, std::align_val_t{cache_line});
  const std::size_t whole = (bytes + huge_page - 1) / huge_page * huge_page;
  void* const memory = ::operator new (whole, std::align_val_t{huge_page});
  madvise(memory, whole, MADV_HUGEPAGE);  // a wish: where it is not granted, pages are small
  return memory;
}

void free_aligned(void* memory, std::size_t bytes) {
  ::operator delete (memory, std::align_val_t{in_huge_pages(bytes) ? huge_page : cache_line});
}

}  // namespace polyad
