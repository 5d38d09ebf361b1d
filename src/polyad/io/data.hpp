#pragma once
// What opening data with options (polyad/options/data.hpp) is made of.

#include <polyad/files.hpp>
#include <polyad/io/open.hpp>

namespace polyad {

/// How the file itself is to be read.
ReadOptions read_options(const DataOptions& options);

/// Gives the tensor the labels and mode names of the options.
void apply_labels(const DataOptions& options, Tensor& tensor);

}  // namespace polyad
