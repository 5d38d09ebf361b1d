#pragma once
// Tensors, models and checkpoints on the wire. `unpack` believes nothing: sizes are compared with each other and with the bytes
// that are there.

#include <polyad/cells.hpp>
#include <polyad/io/build.hpp>
#include <polyad/io/checkpoint_file.hpp>
#include <polyad/io/isolated/wire.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/tensor.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace polyad {

/// Arrays of a tensor that lie in its file just as they do in memory; the tensor itself then has them empty.
struct TensorPlaces {
  std::optional<FileRange> entries;
  std::optional<FileRange> values;
  std::optional<FileRange> weights;
};

void pack(WireWriter& out, const RawTensor& tensor, const TensorPlaces& places);
/// `map`: arrays that lie in the file may be mapped instead of read. What was handed over in memory stays there where it is
/// large, without a copy.
RawTensor unpack_tensor(WireReader& in, InputFile& file, bool map);

void pack(WireWriter& out, const ModelFile& model);
ModelFile unpack_model(WireReader& in);

void pack(WireWriter& out, const CheckpointFile& checkpoint);
CheckpointFile unpack_checkpoint(WireReader& in);

/// Whether JSON is nested more than 64 deep, which would overflow the stack of whoever walks it.
bool nested_too_deep(std::string_view text);
/// Parsed text of a file that may be anybody's: a JSON object that is nested at most 64 deep; unset where it is not.
std::optional<Json> json_object_of(const std::string& text);
std::string text_of(const Json& json);

void pack_labels(WireWriter& out, const Labels& labels);
/// Labels that fit the shape.
Labels unpack_labels(WireReader& in, const IndexSpace& space);

}  // namespace polyad
