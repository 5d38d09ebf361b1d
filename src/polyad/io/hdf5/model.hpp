#pragma once
// Models in polyad's HDF5 files; model_file.hpp has the schema.

#include <polyad/io/model_file.hpp>

#include <string>

namespace polyad {

void write_hdf5_model(const std::string& path, const ModelFile& file);
/// For the reading process (isolated/reader.hpp).
ModelFile read_hdf5_model(const std::string& path);

}  // namespace polyad
