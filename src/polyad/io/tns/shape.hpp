#pragma once
// Decides the base of indices and the shape of a tensor after all entries were seen, and says why.

#include <polyad/io/open.hpp>
#include <polyad/io/tns/entries.hpp>
#include <polyad/io/tns/head.hpp>

namespace polyad {

/// The base, remarked on; an index below it is a data error at its line. `given` is what the user said.
int decide_base(const std::string& path, std::optional<int> given, const TnsHead& head, TnsEntries& entries,
                Remarks* remarks);

/// A shape that is known, and from where, for messages: "--shape", "line 2".
struct KnownShape {
  std::vector<std::uint64_t> extents;
  std::string from;
};

/// The extents; an index beyond a known shape is a data error at its line.
std::vector<std::uint64_t> decide_extents(const std::string& path, const std::optional<KnownShape>& known, int base,
                                          const TnsEntries& entries, std::size_t modes);

/// Makes indices count from 0.
void subtract_base(Records& records, int base);

}  // namespace polyad
