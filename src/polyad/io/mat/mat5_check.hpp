#pragma once
// Whether a .mat file of version 5 is complete. matio takes a variable whose data end early for a whole one, with whatever was in
// memory as its tail; so every length is compared with the bytes that are there before matio sees the file.

#include <polyad/io/input_file.hpp>

namespace polyad {

/// Throws a data error where an element claims more bytes than the file or the element around it has, a compressed element
/// does not end properly, or an array's values are fewer than its dimensions ask for. O(file), unpacked.
void check_mat5(InputFile& file);

}  // namespace polyad
