#pragma once
// Parts that tensors and models on the wire have in common.

#include <polyad/io/isolated/wire.hpp>
#include <polyad/tensor/index_space.hpp>
#include <polyad/tensor/labels.hpp>

namespace polyad {

void pack_labels(WireWriter& out, const Labels& labels);
/// Labels that fit the shape.
Labels unpack_labels(WireReader& in, const IndexSpace& space);

}  // namespace polyad
