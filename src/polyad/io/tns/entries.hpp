#pragma once
// The entries of a .tns file: on each line d whole numbers and a value, parsed at memory speed straight into records. Indices are
// kept as written; where the smallest and the largest stand is remembered, so that base and shape can be decided, and
// errors located, after the last line.

#include <polyad/cells.hpp>
#include <polyad/io/text/text_source.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace polyad {

class TnsEntries {
 public:
  /// `values` false: lines have no value column, every value is 1.
  /// `keep_bad_values`: values that are not finite are kept instead of refused.
  TnsEntries(std::string path, std::size_t modes, bool values, std::string fields_from, bool keep_bad_values = false);

  /// Whole lines, each with its '\n', the first of which has this number. Returns the number of lines.
  std::uint64_t parse(std::string_view lines, std::uint64_t first_line);

  struct Place {
    std::uint64_t index = 0;
    std::uint64_t line = 0;
    std::size_t mode = 0;
  };
  Place smallest() const { return smallest_; }  ///< of all modes; only where there are entries
  Place largest(std::size_t mode) const { return largest_[mode]; }

  Records& records() { return records_; }

  /// For lines of the same kind elsewhere in the file, to be joined again.
  TnsEntries empty_copy() const;
  /// Takes over the entries of a part that follows these, and empties it. `share` of the file, at most, led to all of them;
  /// 0 where that is not known. It spares making room many times.
  void join(TnsEntries& part, double share);

 private:
  template <bool with_values>
  std::uint64_t parse_lines(const char* at, const char* end, std::uint64_t line);
  template <bool with_values>
  const char* parse_entry(const char* at, const char* end, std::uint64_t line);
  void parse_with_care(std::string_view text, std::uint64_t line);
  void append(const Index* index, double value, std::uint64_t line);
  void clear();

  std::string path_;
  std::size_t modes_;
  bool values_;
  std::string fields_from_;
  bool keep_bad_values_;
  Records records_;
  Place smallest_;
  std::array<Place, max_modes> largest_{};
};

/// Parses all that is left of the source into `entries`; its next line has the number `line`. `threads` as in thread_count.
/// Memory: that of the records and of a few blocks per thread.
void parse_blocks(TextSource& source, std::uint64_t line, std::size_t threads, TnsEntries& entries);

}  // namespace polyad
