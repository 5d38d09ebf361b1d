#pragma once
// Separated values taken apart by strict rules (RFC 4180), each break of which is a data error at its line:
//   - a field in quotes ends with a quote, and only a separator or the end of the row may follow; a quote within it is doubled;
//   - a field that does not begin with a quote holds none;
//   - the text has no zero byte, and no field is over a million bytes: then a quote is not closed.
// Blanks around a field are not part of it unless they are within quotes; empty lines are no rows. Lines end with \n, \r\n or \r.
// Speed: one look at each byte.
//
// A cell that begins with = + - @ (or a tab or a return) is computed as a formula by spreadsheets, which lets a label run
// commands on the machine of whoever opens the file. An apostrophe before it says that it is text; reading removes it
// again. Numbers stay numbers: -1.5 is no formula.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

/// A row and the line of the text it begins on (counted from 1, lines within quotes included).
struct CsvRow {
  std::span<const std::string> fields;
  std::uint64_t line = 1;
};

class CsvRows {
 public:
  /// `visit` returns false where no more rows are wanted. `path` is for errors.
  CsvRows(std::string path, char separator, std::function<bool(const CsvRow&)> visit);

  /// The next piece of the text, cut anywhere. False where no more rows are wanted.
  bool take(std::string_view text);
  /// The text is complete; says whether its last line had an end.
  bool finish();

 private:
  enum class State { before_field, plain, quoted, quote_in_quoted, after_quoted };

  bool step(char c);
  bool end_row();
  void begin_field();
  void end_field();
  void put(char c);
  void put_all(std::string_view text);
  [[noreturn]] void unclosed() const;

  std::string path_;
  char separator_;
  std::function<bool(const CsvRow&)> visit_;
  State state_ = State::before_field;
  std::vector<std::string> fields_;
  std::size_t used_ = 0;          // fields of this row; the strings of longer rows stay for the next
  std::size_t field_end_ = 0;     // of the current field, without blanks at its end
  bool any_ = false;              // this row has a byte that is no blank
  bool after_return_ = false;     // the last byte was \r
  std::uint64_t line_ = 1;        // of the next byte
  std::uint64_t row_line_ = 1;    // where the current row began
  std::uint64_t quote_line_ = 1;  // where the current quoted field began
  bool line_ended_ = true;
};

/// The cell of a text: with an apostrophe where a spreadsheet would compute it (unless `raw`), in quotes where the text would
/// otherwise be taken apart.
std::string csv_cell(std::string_view text, bool raw = false);

/// Takes the apostrophe of `csv_cell` off a cell that is no longer in quotes; says whether there was one.
bool take_apostrophe_off(std::string& cell);

}  // namespace polyad
