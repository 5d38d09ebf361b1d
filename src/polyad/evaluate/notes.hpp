#pragma once
// What is known of data, losses and models (polyad/evaluate.hpp), as JSON.

#include <polyad/evaluate.hpp>
#include <polyad/io/model_file.hpp>

#include <span>
#include <string>

namespace polyad {

Json to_json(const Evaluation& evaluation);

/// Puts the figures into the file; what other parts of it say stays.
void add_diagnostics(ModelFile& file, const Diagnostics& diagnostics);

/// {"file", "shape", "observed", "listed", "sum", "least", "greatest", "fingerprint"}: the data that a model was fitted to. `file`
/// is a name, without its folders. O(cells or entries).
Json data_facts(const Tensor& tensor, const std::string& file);

/// {"name", "formula", "data", "model", "values", "factors", "parameters", "exact-zeros"} of each.
Json losses_json(std::span<const Loss> losses);
/// "at least 0" or "any".
std::string factor_bound(const LossInfo& info);

/// See json_text.
Json tensor_json(const Tensor& tensor, const OptionStyle& style);
Json short_json(const ModelFile& file);

}  // namespace polyad
