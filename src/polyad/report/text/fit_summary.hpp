#pragma once
// How a model was made and how good it is, in a line.

#include <polyad/io/model_file.hpp>

#include <string>

namespace polyad {

/// "rank 10, loss poisson, 38 % of the deviance explained, 3 starts": as far as the file tells; empty where it tells nothing.
std::string fit_summary(const ModelFile& file);

}  // namespace polyad
