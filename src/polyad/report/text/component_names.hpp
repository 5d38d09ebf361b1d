#pragma once
// Names of components, where a model file has them (planted patterns do).

#include <polyad/io/model_file.hpp>

#include <string>
#include <vector>

namespace polyad {

/// One a component, or empty where the file names none.
std::vector<std::string> component_names(const ModelFile& file);

}  // namespace polyad
