#pragma once
// What is known of a tensor's values, in the attributes of /facts (docs/formats.md).

#include <polyad/io/hdf5/reader.hpp>
#include <polyad/io/hdf5/writer.hpp>
#include <polyad/tensor/facts.hpp>

namespace polyad {

void write_hdf5_facts(Hdf5Writer& file, const TensorFacts& facts);
/// Only for a file whose checksum agrees: whoever else changes the data does not know of these. Unset where there are none.
std::optional<TensorFacts> read_hdf5_facts(const Hdf5Reader& file);

}  // namespace polyad
