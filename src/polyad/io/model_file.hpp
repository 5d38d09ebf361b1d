#pragma once
// Model files: HDF5, one file per fit. Schema (docs/formats.md):
//   /                       attributes format = "polyad", version = 1, kind = "model"
//   /model/weights          r
//   /model/factors/1 .. d   n_k x r
//   /labels/1 .. d          attribute name; dataset entries (UTF-8 strings); absent where unlabelled
//   /options                attribute json: the options as used
//   /trace/1 .. s           one table per start: epoch, seconds, estimate, rate, accepted
//   /summary                attribute json: loss, seed, estimates, why it stopped, times
//   /diagnostics            attribute json: how well the model fits (polyad/evaluate.hpp); absent where not computed
//   /diagnostics/slices/1 .. d   n_k x 5: columns as in SliceFit

#include <polyad/base/json_value.hpp>
#include <polyad/files.hpp>

namespace polyad {

struct Notes::Content {
  Json json = Json::object();
};

// What else files.hpp says as JSON: see json_text there.
Json to_json(const ImportReport& report, const Tensor& tensor);
Json to_json(const Inspection& inspection, const OptionStyle& style);

}  // namespace polyad
