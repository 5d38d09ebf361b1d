#pragma once
// What stands before the entries of a .tns file. Entries of a d-way tensor have d + 1 fields, so a header is one of
//   3                 the number of modes alone, then
//   200 150 100       the extents, then, if need be,
//   5231              the number of entries alone; or
//   200 150 100       the extents alone, recognised because the next line has one field more.
// Comments that polyad itself writes are read back: `# base: 0`, `# shape: 200x150x100`, `# mode 2: hour`,
// `# label 2 1: midnight` (modes and indices counted from 1), `# unlisted: missing`, `# entries: 5231`. Names that a line would
// alter (blanks around them, line ends) stand as JSON text: `# quoted label 2 1: " midnight\n"`. Other comments mean nothing.

#include <polyad/io/text/text_source.hpp>
#include <polyad/tensor/sparse.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace polyad {

struct TnsHead {
  std::size_t modes = 0;  ///< 0: the file has no entry and no shape
  bool values = true;     ///< false: each line is a cell only (lists of cells)
  std::optional<int> base;
  std::optional<std::vector<std::uint64_t>> shape;
  std::string shape_from;                                                 ///< "line 2"
  std::optional<std::uint64_t> entries;                                   ///< as announced
  std::vector<std::string> mode_names;                                    ///< as far as named
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> labels;  ///< by mode and index, both from 1
  std::optional<Unlisted> unlisted;
  /// Entries read while looking for a header: line number and text.
  std::vector<std::pair<std::uint64_t, std::string>> lines;
};

/// What is known of the lines before they are read.
struct TnsLines {
  /// Set for a list of cells, whose number of modes is known and whose value column is optional.
  std::optional<std::size_t> cell_modes;
  /// Lines have no value. A line of extents alone looks like an entry then, and is taken for one.
  bool ones = false;
};

TnsHead read_tns_head(TextSource& source, const TnsLines& lines);

}  // namespace polyad
