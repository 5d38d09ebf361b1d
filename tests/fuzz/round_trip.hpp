#pragma once
// What was read from a damaged file must also be right: it is written, read again and compared to the last bit.

#include <polyad/io/checkpoint_file.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/tensor/tensor.hpp>

#include <string>

namespace polyad::fuzz {

[[noreturn]] void broken(const char* what);

/// A tensor by its own rules: finite values, indices within their extents, as many labels as indices.
void expect_sound(const Tensor& tensor);

/// Through a format that keeps all of it, in files that begin with `scratch`.
void expect_round_trip(const Tensor& tensor, const std::string& scratch);
void expect_round_trip(const ModelFile& model, const std::string& scratch);
void expect_round_trip(const CheckpointFile& checkpoint, const std::string& scratch);

/// Adds the checksum that polyad's own HDF5 files end with, so that the damage is read and not refused at once.
std::string sealed(std::string bytes);

}  // namespace polyad::fuzz
