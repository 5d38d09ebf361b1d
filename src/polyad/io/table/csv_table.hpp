#pragma once
// Rows of a table of separated values (libcsv): quotes, separators and line ends within quotes, .gz and .zst, a header line.

#include <polyad/io/input_file.hpp>
#include <polyad/io/text/decoder.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

/// Reads a table from its beginning to its end; may be done again.
class CsvTable {
 public:
  /// The separator is told from the header where it is not given: the one of , ; tab | that occurs most.
  explicit CsvTable(std::string path, std::optional<char> separator = std::nullopt);

  const std::string& path() const { return path_; }
  char separator() const { return separator_; }
  /// Names of columns, control characters in them replaced by blanks.
  const std::vector<std::string>& header() const { return header_; }
  /// The position of a column; a usage error lists the columns there are.
  std::size_t column(std::string_view name) const;

  /// Calls visit(fields, row) for each row after the header, rows counted from 1. Short rows are filled with empty fields; a
  /// row with more fields than the header is a data error.
  void for_each_row(const std::function<void(std::span<const std::string>, std::uint64_t)>& visit) const;

 private:
  void parse(const std::function<bool(std::vector<std::string>&)>& on_row) const;

  std::string path_;
  char separator_ = ',';
  std::vector<std::string> header_;
};

}  // namespace polyad
