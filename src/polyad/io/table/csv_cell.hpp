#pragma once
// Cells of separated values that spreadsheets keep as they are. A cell that begins with = + - @ (or a tab or a return) is
// computed as a formula, which lets a label run commands on the machine of whoever opens the file. An apostrophe before it says
// that it is text; reading takes it off again. Numbers stay numbers: -1.5 is no formula.

#include <string>
#include <string_view>

namespace polyad {

/// The cell of a text: with an apostrophe where a spreadsheet would compute it (unless `raw`), in quotes where the text would
/// otherwise be taken apart.
std::string csv_cell(std::string_view text, bool raw = false);

/// Takes the apostrophe of `csv_cell` off a cell that is no longer in quotes; says whether there was one.
bool take_apostrophe_off(std::string& cell);

}  // namespace polyad
