#pragma once
// FROSTT .tns text: one entry `i1 ... id value` per line, '#' comments, blank lines, an optional header (head.hpp). One pass;
// memory is that of the records; a declared shape, however large, costs nothing.
//
// Base: `options.base`, else the file's own comment, else 0 if any index is 0 and 1 otherwise. Shape: `options.shape`, else
// the file's own, else the largest indices. Value: `options.values`, else the last field, unless it looks like an index: then
// the user is asked. Each decision is remarked on.

#include <polyad/io/input_file.hpp>
#include <polyad/io/open.hpp>
#include <polyad/io/tns/entries.hpp>
#include <polyad/io/tns/head.hpp>
#include <polyad/tensor/tensor.hpp>

#include <string>

namespace polyad {

/// 1-based .tns text, values in their shortest exact form, compressed where the name ends so, with comments that keep base,
/// shape, labels and the meaning of unlisted cells. A dense tensor lists its nonzeros, or, where cells are missing, every
/// observed cell.
void write_tns(const std::string& path, const Tensor& tensor);

/// The base, remarked on; an index below it is a data error at its line. `given` is what the user said.
int decide_base(const std::string& path, std::optional<int> given, const TnsHead& head, TnsEntries& entries,
                Remarks* remarks);

/// A shape that is known, and from where, for messages: "line 2", or an option's name.
struct KnownShape {
  std::vector<std::uint64_t> extents;
  std::string from;
};

/// The extents; an index beyond a known shape is a data error at its line.
std::vector<std::uint64_t> decide_extents(const std::string& path, const std::optional<KnownShape>& known, int base,
                                          const TnsEntries& entries, std::size_t modes);

/// Makes indices count from 0.
void subtract_base(Records& records, int base);

/// Throws a data error, a question, where the values of the records look like one more column of indices: all are whole, and
/// lines with the same cell never have the same value, although by chance at least ten pairs would; or at least a tenth of the
/// lines share cells, no pair agrees, and the values are spread over 0 or 1 to the greatest as indices are. A column that is
/// spread so without repeated cells is remarked on. Data whose cells do not repeat are never refused. O(records), and a sort of
/// a sample of 200,000 lines.
void check_value_column(const std::string& path, const Records& records, Remarks* remarks);

}  // namespace polyad
