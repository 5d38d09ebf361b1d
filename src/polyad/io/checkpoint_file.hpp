#pragma once
// Checkpoints: HDF5, written by polyad only, so that they always carry the checksum of hdf5/trailer.hpp. Schema:
//   /                        attributes format = "polyad", version = 1, kind = "checkpoint"
//   /identity                attribute json: fingerprint and shape of the data, and what else must agree
//   /options                 attribute json: the options as used
//   /starts/1 ..             one group per start that has begun: attribute start (its number, from 0), datasets
//     numbers                scalars, in the order of StartState's own list
//     factors, best, first, second, peak   flat arrays, padding included
//     trace                  as in model files
// What a start is doing is opaque here; solve/checkpoint/store.hpp gives it meaning.

#include <polyad/base/json_value.hpp>
#include <polyad/model.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace polyad {

struct StoredStart {
  std::uint64_t start = 0;
  std::vector<double> numbers;
  std::vector<std::pair<std::string, std::vector<double>>> arrays;
  Trace trace;
};

struct CheckpointFile {
  Json identity = Json::object();
  Json options = Json::object();
  std::vector<StoredStart> starts;
};

/// Complete or absent: an earlier checkpoint of that name stays until the new one is on disk.
void write_checkpoint(const std::string& path, const CheckpointFile& file);
CheckpointFile read_checkpoint(const std::string& path);
/// For the reading process (isolated/reader.hpp).
CheckpointFile read_hdf5_checkpoint(const std::string& path);

}  // namespace polyad
