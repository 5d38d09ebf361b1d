#pragma once
// Parts that tensors and models on the wire have in common.

#include <polyad/cells.hpp>
#include <polyad/io/isolated/wire.hpp>
#include <polyad/tensor.hpp>

namespace polyad {

void pack_labels(WireWriter& out, const Labels& labels);
/// Labels that fit the shape.
Labels unpack_labels(WireReader& in, const IndexSpace& space);

}  // namespace polyad
