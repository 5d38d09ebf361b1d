#pragma once
// Tables to tensors: each mode is a column or a function of one, the value of a cell the number of its rows or the sum of a
// column over them.

#include <polyad/fields.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace polyad {

/// Rows with too few or too many fields, or with a cell that cannot be read.
enum class BadRows { refuse, skip };
constexpr std::array<std::string_view, 2> words_of(BadRows) {
  return {"refuse", "skip"};
}

/// Rows with too few fields.
enum class ShortRows { refuse, fill };
constexpr std::array<std::string_view, 2> words_of(ShortRows) {
  return {"refuse", "fill"};
}

enum class TableEncoding { utf8, windows_1252 };
constexpr std::array<std::string_view, 2> words_of(TableEncoding) {
  return {"utf-8", "windows-1252"};
}

enum class LabelOrder { natural, frequency, appearance };
constexpr std::array<std::string_view, 3> words_of(LabelOrder) {
  return {"natural", "frequency", "appearance"};
}

struct ImportOptions {
  std::vector<std::string> modes;         ///< NAME=COLUMN[:FUNCTION]
  std::string value;                      ///< column to sum; empty: count rows
  std::vector<std::string> time_layouts;  ///< COLUMN=LAYOUT or LAYOUT, see docs/formats.md
  std::vector<std::string> order;         ///< NAME=natural|frequency|appearance
  BadRows bad_rows = BadRows::refuse;
  ShortRows short_rows = ShortRows::refuse;
  TableEncoding encoding = TableEncoding::utf8;
  bool raw = false;
  std::string separator;  ///< one character, or "tab"; empty: recognised from the header
  std::optional<double> unpacked_limit;

  static auto fields() {
    using O = ImportOptions;
    return std::tuple{
        field("mode", &O::modes,
              "a mode of the tensor: NAME=COLUMN (its name, or #NUMBER from 1), or NAME=COLUMN:FUNCTION with FUNCTION "
              "one of day, week, month, year, "
              "hour, weekday, month-of-year (of a timestamp) or bin=WIDTH (of a number)"),
        field("value", &O::value, "column to add up in each cell; without it rows are counted"),
        field("time-layout", &O::time_layouts,
              "how timestamps are written, such as 'd.m.Y H:M' (see docs/formats.md), or COLUMN=LAYOUT; otherwise "
              "recognised from all rows and stated"),
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
              "what separates columns: a character, or tab; otherwise recognised from the header"),
        field("unpacked-limit", &O::unpacked_limit,
              "GB that a compressed table may unpack to; auto: 200 times its size, or 0.256 where that is more",
              above(0)),
    };
  }
};

}  // namespace polyad
