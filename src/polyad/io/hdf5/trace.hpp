#pragma once
// A trace in polyad's HDF5 files: a table with the columns epoch, seconds, estimate, rate, accepted.

#include <polyad/io/hdf5/reader.hpp>
#include <polyad/io/hdf5/writer.hpp>
#include <polyad/model.hpp>

namespace polyad {

void write_hdf5_trace(Hdf5Writer& file, const std::string& name, const Trace& trace);
Trace read_hdf5_trace(const Hdf5Reader& file, const std::string& name);

}  // namespace polyad
