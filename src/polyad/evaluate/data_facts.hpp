#pragma once
// What data a model was fitted to, told in a few figures.

#include <polyad/base/json.hpp>
#include <polyad/tensor/tensor.hpp>

#include <string>

namespace polyad {

/// {"file", "shape", "observed", "listed", "sum", "least", "greatest", "fingerprint"} for model files and reports; `file`
/// is a name, without its folders. O(cells or entries).
Json data_facts(const Tensor& tensor, const std::string& file);

}  // namespace polyad
