#pragma once
// Rows of a table of separated values with a header line, plain, .gz or .zst. What a row may be is in csv_rows.hpp.

#include <polyad/io/input_file.hpp>
#include <polyad/io/table/csv_rows.hpp>
#include <polyad/io/table/table.hpp>
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
  bool raw = false;  ///< keep the apostrophe that keeps a spreadsheet from computing a cell (csv_rows.hpp)
  std::optional<double> unpacked_limit;  ///< GB that a compressed table may unpack to
};

/// Reads a table from its beginning to its end; may be done again.
class CsvTable : public Table {
 public:
  explicit CsvTable(std::string path, TableRules rules = {});

  const std::string& path() const override { return path_; }
  char separator() const { return *rules_.separator; }
  /// Names of columns, control characters in them replaced by blanks.
  const std::vector<std::string>& header() const override { return header_; }

  /// Calls visit(fields, line) for each row after the header, with as many fields as the header has. Other rows are data errors
  /// at their line, or skipped and counted, as the rules say.
  RowCounts for_each_row(const std::function<void(std::span<const std::string>, std::uint64_t)>& visit) const override;

 private:
  bool parse(const std::function<bool(const CsvRow&)>& on_row) const;
  void read_header();
  bool check_row(const CsvRow& row) const;

  std::string path_;
  TableRules rules_;
  std::vector<std::string> header_;
};

}  // namespace polyad
