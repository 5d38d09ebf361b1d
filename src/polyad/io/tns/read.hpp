#pragma once
// FROSTT .tns text: `i1 ... id value` a line, '#' comments, blank lines, an optional header (tns_head.hpp), plain or gzip.
// One pass; memory is that of the records; a declared shape, however large, costs nothing.

#include <polyad/io/input_file.hpp>
#include <polyad/io/open.hpp>

namespace polyad {

/// Base: `options.base`, else the file's own comment, else 0 if any index is 0 and 1 otherwise. Shape: `options.shape`, else
/// the file's own, else the largest indices. Each decision is remarked on.
Tensor read_tns(InputFile& file, const ReadOptions& options, Remarks* remarks);

}  // namespace polyad
