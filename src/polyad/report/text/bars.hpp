#pragma once
// Bars and curves made of characters.

#include <cstddef>
#include <string>
#include <vector>

namespace polyad {

/// A bar of `part` (0 to 1) of `columns`, padded with spaces to `columns`; eighths of a column in Unicode, whole ones in
/// ASCII. Anything above nothing shows as something.
std::string text_bar(double part, std::size_t columns, bool ascii);
/// A curve one line high: each character is the value of largest magnitude in its stretch, on a scale from 0 (or from
/// the lowest value where that is negative) to the highest. At most `columns` characters.
std::string sparkline(const std::vector<double>& values, std::size_t columns, bool ascii);

}  // namespace polyad
