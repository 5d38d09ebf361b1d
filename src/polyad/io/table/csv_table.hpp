#pragma once
// Rows of a table of separated values with a header line, plain, .gz or .zst. What a row may be is in csv_rows.hpp.

#include <polyad/io/input_file.hpp>
#include <polyad/io/table/csv_rows.hpp>
#include <polyad/io/text/decoder.hpp>
#include <polyad/options/table.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

struct TableRules {
  std::optional<char> separator;  ///< unset: the one of , ; tab | that occurs most in the header
  TableEncoding encoding = TableEncoding::utf8;
  BadRows bad_rows = BadRows::refuse;
  ShortRows short_rows = ShortRows::refuse;
  bool raw = false;  ///< keep the apostrophe that keeps a spreadsheet from computing a cell (csv_cell.hpp)
};

/// What reading all rows came to.
struct RowCounts {
  std::uint64_t skipped = 0;      ///< rows with too few or too many fields, or not in the encoding
  std::uint64_t apostrophes = 0;  ///< cells whose apostrophe was taken off
  bool line_ended = true;         ///< the last line had an end
};

/// Reads a table from its beginning to its end; may be done again.
class CsvTable {
 public:
  explicit CsvTable(std::string path, TableRules rules = {});

  const std::string& path() const { return path_; }
  char separator() const { return *rules_.separator; }
  /// Names of columns, control characters in them replaced by blanks.
  const std::vector<std::string>& header() const { return header_; }
  /// The position of a column, by name or as #NUMBER counted from 1. A usage error lists the columns there are; a name that
  /// several columns have is a data error.
  std::size_t column(std::string_view name) const;

  /// Calls visit(fields, line) for each row after the header, with as many fields as the header has. Other rows are data errors
  /// at their line, or skipped and counted, as the rules say.
  RowCounts for_each_row(const std::function<void(std::span<const std::string>, std::uint64_t)>& visit) const;

 private:
  bool parse(const std::function<bool(const CsvRow&)>& on_row) const;
  void read_header();
  bool check_row(const CsvRow& row) const;

  std::string path_;
  TableRules rules_;
  std::vector<std::string> header_;
};

}  // namespace polyad
