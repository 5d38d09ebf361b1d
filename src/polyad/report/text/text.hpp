#pragma once
// Text for people, whatever bytes a label holds: measured and cut by what it shows, safe in XML and on a terminal; bars and curves made of characters
// (bars.cpp).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

/// Valid UTF-8 without control characters (an escape sequence in a label must not reach a terminal): what is neither
/// becomes U+FFFD, tabs and line breaks become spaces.
std::string printable(std::string_view text);
/// The same for text of several lines, whose ends stay.
std::string printable_lines(std::string_view text);
/// JSON whose characters that a terminal would obey (beyond those that JSON itself forbids) are written as \uXXXX.
std::string terminal_json(std::string_view json);
/// Columns of a terminal that printable text takes: 2 for wide characters and emoji, 0 for combining ones.
std::size_t display_width(std::string_view text);
/// The text, cut with an ellipsis ("~" in ASCII) where it is wider than `columns`.
std::string cut_to(std::string_view text, std::size_t columns, bool ascii = false);
/// Cut or padded with spaces on the right to exactly `columns`.
std::string fit_to(std::string_view text, std::size_t columns, bool ascii = false);
/// Printable text with the five characters XML reserves replaced by entities.
std::string xml_escape(std::string_view text);
/// A word as a POSIX shell reads it back: quoted where it must be.
std::string shell_word(std::string_view text);

/// A bar of `part` (0 to 1) of `columns`, padded with spaces to `columns`; eighths of a column in Unicode, whole ones in
/// ASCII. Anything above nothing shows as something.
std::string text_bar(double part, std::size_t columns, bool ascii);
/// A curve one line high: each character is the value of largest magnitude in its stretch, on a scale from 0 (or from
/// the lowest value where that is negative) to the highest. At most `columns` characters.
std::string sparkline(const std::vector<double>& values, std::size_t columns, bool ascii);

}  // namespace polyad
