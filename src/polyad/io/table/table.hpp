#pragma once
// A table as imports see it: named columns of texts, whose rows can be read again. CsvTable reads one from a file; CodedTable
// holds one whose columns repeat few values, as data frames do.

#include <polyad/files.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

/// What reading all rows came to.
struct RowCounts {
  std::uint64_t skipped = 0;      ///< rows with too few or too many fields, or not in the encoding
  std::uint64_t apostrophes = 0;  ///< cells whose apostrophe was taken off
  bool line_ended = true;         ///< the last line had an end
};

class Table {
 public:
  virtual ~Table() = default;

  /// What messages call the table.
  virtual const std::string& path() const = 0;
  virtual const std::vector<std::string>& header() const = 0;
  /// Calls visit(fields, line) for each row, with as many fields as the header has.
  virtual RowCounts for_each_row(
      const std::function<void(std::span<const std::string>, std::uint64_t)>& visit) const = 0;
  /// The values that a column may have, in their own order, where they are known beforehand; else none.
  virtual std::span<const std::string> given_values(std::size_t /*column*/) const { return {}; }

  /// The position of a column, by name or as #NUMBER counted from 1. A usage error lists the columns there are; a name that
  /// several columns have is a data error.
  std::size_t column(std::string_view name) const;
};

/// A column as a list of values and, for each row, which of them it has; a negative code is an empty cell.
struct CodedColumn {
  std::string name;
  std::vector<std::string> values;
  std::span<const std::int64_t> codes;
  bool given = false;  ///< the values have an order of their own, also those that no row has
};

/// The codes must outlive the table. A data error where a code names no value, or columns differ in length.
class CodedTable : public Table {
 public:
  CodedTable(std::string path, std::vector<CodedColumn> columns);

  const std::string& path() const override { return path_; }
  const std::vector<std::string>& header() const override { return header_; }
  /// Rows are counted from 0.
  RowCounts for_each_row(const std::function<void(std::span<const std::string>, std::uint64_t)>& visit) const override;
  std::span<const std::string> given_values(std::size_t column) const override;

 private:
  std::string path_;
  std::vector<std::string> header_;
  std::vector<CodedColumn> columns_;
};

/// As import_table of a file (polyad/files.hpp), for rows from elsewhere; what the options say of files is not looked at.
Tensor import_table(const Table& table, const ImportOptions& options, ImportReport& report, Remarks* remarks);

}  // namespace polyad
