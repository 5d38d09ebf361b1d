#include <polyad/base/error.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/tns/tns.hpp>

namespace polyad {

int decide_base(const std::string& path, std::optional<int> given, const TnsHead& head, TnsEntries& entries,
                Remarks* remarks) {
  if (given && *given != 0 && *given != 1) fail(ErrorKind::usage, "`base` must be 0 or 1 (is {})", *given);
  const bool any = entries.records().size() > 0;
  const TnsEntries::Place smallest = entries.smallest();
  const std::optional<int> stated = given ? given : head.base;
  if (!stated) {
    if (!any) return 1;
    const int base = smallest.index == 0 ? 0 : 1;
    if (base == 0) {
      remark(remarks, "0-based indices (index 0 on line {})", smallest.line);
    } else {
      remark(remarks, "1-based indices (no index is 0)");
    }
    return base;
  }
  if (any && smallest.index < static_cast<std::uint64_t>(*stated)) {
    fail_at(path, smallest.line, "field {}: index 0 with {}: indices start at 1 there; {}", smallest.mode + 1,
            given ? option_name("base", "1") : "'# base: 1' in the file",
            given ? fmt::format("use {}, or leave {} out", option_name("base", "0"), option_name("base"))
                  : fmt::format("use {}", option_name("base", "0")));
  }
  if (given && head.base && *given != *head.base) {
    remark(remarks, "{}-based indices (`base`, although the file says {})", *given, *head.base);
  } else {
    remark(remarks, "{}-based indices ({})", *stated, given ? option_name("base") : "the file says so");
  }
  return *stated;
}

std::vector<std::uint64_t> decide_extents(const std::string& path, const std::optional<KnownShape>& known, int base,
                                          const TnsEntries& entries, std::size_t modes) {
  std::vector<std::uint64_t> extents(modes);
  for (std::size_t k = 0; k < modes; ++k) {
    const TnsEntries::Place largest = entries.largest(k);
    const std::uint64_t needed = largest.index - static_cast<std::uint64_t>(base) + 1;
    if (!known) {
      if (needed > max_held_extent) {
        fail_at(path, largest.line, "field {}: index {} is too large: 0-based indices go up to {}", k + 1,
                largest.index, max_held_extent - 1);
      }
      extents[k] = needed;
      continue;
    }
    extents[k] = known->extents[k];
    if (largest.line != 0 && needed > extents[k]) {
      fail_at(path, largest.line, "field {}: index {} is beyond the extent {} of mode {} (from {}, {}-based indices)",
              k + 1, largest.index, extents[k], k + 1, known->from, base);
    }
  }
  return extents;
}

void subtract_base(Records& records, int base) {
  if (base == 0) return;
  for (std::size_t i = 0; i < records.size(); ++i) {
    Index* const index = records.index_to_change(i);
    for (std::size_t k = 0; k < records.modes(); ++k) --index[k];
  }
}

}  // namespace polyad
