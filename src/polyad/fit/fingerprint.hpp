#pragma once
// What data a model was fitted to, told in a line: the same cells and values give the same fingerprint, whatever the file
// format or the order of entries.

#include <polyad/base/json.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <string>

namespace polyad {

/// Over shape, observed cells, values, weights and what unlisted cells are. O(cells or entries).
std::uint64_t fingerprint(const Tensor& tensor);

/// {"file", "shape", "observed", "listed", "sum", "least", "greatest", "fingerprint"} for model files and reports; `file`
/// is a name, without its folders.
Json data_facts(const Tensor& tensor, const std::string& file);

}  // namespace polyad
