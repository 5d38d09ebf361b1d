#pragma once
// Labels in polyad's HDF5 files: /labels/1 .. d, each a group with an attribute `name` and, where the indices
// are labelled, a dataset `entries` (UTF-8 texts, one an index). A mode without either has no group. The attribute `import` of
// /labels, where there is one, says as JSON how the tensor was made of a table.

#include <polyad/io/hdf5/reader.hpp>
#include <polyad/io/hdf5/writer.hpp>
#include <polyad/tensor.hpp>

namespace polyad {

void write_hdf5_labels(Hdf5Writer& file, const Labels& labels);
/// Labels of every mode (empty where there are none), checked against the shape: a data error names the mode
/// that has too few or too many.
Labels read_hdf5_labels(const Hdf5Reader& file, const IndexSpace& space);

}  // namespace polyad
