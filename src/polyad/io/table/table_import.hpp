#pragma once
// Tables to tensors: each mode is a column or a function of one, the value of a cell the number of its rows or the sum of a
// column over them.

#include <polyad/base/fields.hpp>
#include <polyad/io/open.hpp>
#include <polyad/io/table/csv_table.hpp>

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace polyad {

enum class LabelOrder { natural, frequency, appearance };
constexpr std::array<std::string_view, 3> words_of(LabelOrder) {
  return {"natural", "frequency", "appearance"};
}

struct ImportOptions {
  std::vector<std::string> modes;         ///< NAME=COLUMN[:FUNCTION]
  std::string value;                      ///< column to sum; empty: count rows
  std::vector<std::string> time_layouts;  ///< COLUMN=LAYOUT or LAYOUT, as in timestamps.hpp
  std::vector<std::string> order;         ///< NAME=natural|frequency|appearance
  BadRows bad_rows = BadRows::refuse;
  ShortRows short_rows = ShortRows::refuse;
  TableEncoding encoding = TableEncoding::utf8;
  bool raw = false;
  std::string separator;  ///< one character, or "tab"; empty: told from the header

  static auto fields() {
    using O = ImportOptions;
    return std::tuple{
        field("mode", &O::modes,
              "a mode of the tensor: NAME=COLUMN (its name, or #NUMBER from 1), or NAME=COLUMN:FUNCTION with FUNCTION "
              "one of day, week, month, year, "
              "hour, weekday, month-of-year (of a timestamp) or bin=WIDTH (of a number)"),
        field("value", &O::value, "column to add up in each cell; without it rows are counted"),
        field("time-layout", &O::time_layouts,
              "how timestamps are written, such as 'd.m.Y H:M' (see docs/formats.md), or COLUMN=LAYOUT; otherwise told "
              "from all rows and stated"),
        field("order", &O::order,
              "order of a mode's labels: NAME=natural (time, numbers, names in their order), NAME=frequency (most rows "
              "first) or NAME=appearance"),
        field(
            "bad-rows", &O::bad_rows,
            "what to do with a row that has too few or too many fields, or a cell that cannot be read as it should be"),
        field("short-rows", &O::short_rows, "what to do with a row of too few fields: fill it with empty cells?"),
        field("encoding", &O::encoding, "how the bytes of the table are to be read"),
        field("raw", &O::raw, "keep the apostrophe of cells such as '=x, which keeps spreadsheets from computing them"),
        field("separator", &O::separator,
              "what separates columns: a character, or tab; otherwise told from the header"),
    };
  }
};

struct ImportReport {
  std::uint64_t rows = 0;
  std::uint64_t used = 0;
  std::vector<std::pair<std::string, std::uint64_t>> empty;  ///< rows left out, by the column whose cell was empty
  std::uint64_t bad = 0;                                     ///< rows skipped because a cell could not be read
};

/// Reads the table twice: once to tell how timestamps are written, once to fill the tensor. The tensor's labels keep the options,
/// with the layouts that were found.
Tensor import_table(const std::string& path, const ImportOptions& options, ImportReport& report, Remarks* remarks);

/// The options with which the tensor behind these labels was imported. A data error, where there are none, says so; `path` is the
/// file that the labels are from.
ImportOptions import_options_of(const Labels& labels, const std::string& path);

}  // namespace polyad
