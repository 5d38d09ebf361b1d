#pragma once
// What several kinds of polyad's HDF5 files have in common (docs/formats.md):
//   /labels/1 .. d   a group per mode that has any, with an attribute `name` and, where its indices are labelled, a dataset
//                    `entries` of UTF-8 texts; the attribute `import` of /labels says as JSON how a table became the tensor
//   entries          a table of records, laid out as in memory
//   traces           tables with the columns epoch, seconds, estimate, rate, accepted
//   /facts           attributes with what is known of a tensor's values
//   JSON             in the attribute `json` of a group

#include <polyad/base/json_value.hpp>
#include <polyad/cells.hpp>
#include <polyad/io/hdf5/library.hpp>
#include <polyad/io/hdf5/reader.hpp>
#include <polyad/io/hdf5/writer.hpp>
#include <polyad/model.hpp>
#include <polyad/tensor.hpp>
#include <polyad/tensor/facts.hpp>

#include <string>

namespace polyad {

void write_hdf5_labels(Hdf5Writer& file, const Labels& labels);
/// Labels of every mode (empty where there are none), checked against the shape: a data error names the mode
/// that has too few or too many.
Labels read_hdf5_labels(const Hdf5Reader& file, const IndexSpace& space);

/// The type of a record as it lies in memory and in files: members i1 .. id, value and, where weighted, weight.
Hdf5Id hdf5_record_type(const Records& records);

void write_hdf5_trace(Hdf5Writer& file, const std::string& name, const Trace& trace);
Trace read_hdf5_trace(const Hdf5Reader& file, const std::string& name);

void write_hdf5_facts(Hdf5Writer& file, const TensorFacts& facts);
/// Only for a file whose checksum agrees: whoever else changes the data does not know of these. Unset where there are none.
std::optional<TensorFacts> read_hdf5_facts(const Hdf5Reader& file);

/// An empty object where the group is missing; a data error where the attribute is not a JSON object or is nested more than
/// 64 deep, which would overflow the stack of whoever walks it.
Json read_json_attribute(const Hdf5Reader& file, const std::string& group);

}  // namespace polyad
