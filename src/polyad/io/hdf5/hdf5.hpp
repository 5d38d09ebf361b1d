#pragma once
// Tensors in polyad's HDF5 files. Schema (docs/formats.md):
//   /                       attributes format = "polyad", version = 1, kind = "tensor"
//   /tensor                 attributes storage = "dense" or "sparse", shape = extents; where sparse: unlisted, zero_weight
//   dense:  /tensor/values  n_1 x ... x n_d, NaN where missing;  /tensor/weights  the same shape, where weighted
//   sparse: /tensor/entries  a table with i1 .. id (from 0), value and, where weighted, weight: the records of
//           polyad/cells.hpp as they are, so that they can be mapped; or, as other programs may prefer,
//           /tensor/indices/1 .. d  one array per mode, from 0;  /tensor/values;  /tensor/weights where weighted;
//           /tensor/missing/1 .. d  cells that are missing although unlisted cells are zeros
//   /labels/1 .. d          as in model files

#include <polyad/io/build.hpp>
#include <polyad/io/input_file.hpp>
#include <polyad/io/isolated/pack.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>

#include <string>

namespace polyad {

/// Round trips are exact: every bit of values and weights, the order of entries, labels, and what unlisted cells are.
void write_hdf5_tensor(const std::string& path, const Tensor& tensor);

/// For the reading process (isolated/reader.hpp). Arrays that lie in the file as they do in memory are not read: `places` says
/// where they are. `facts`: whether those of the file may be believed.
RawTensor read_hdf5_raw(const std::string& path, bool facts, TensorPlaces& places);

void write_hdf5_model(const std::string& path, const ModelFile& file);
/// For the reading process (isolated/reader.hpp).
ModelFile read_hdf5_model(const std::string& path);

}  // namespace polyad
