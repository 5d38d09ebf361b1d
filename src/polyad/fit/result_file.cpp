#include <polyad/fit/result_file.hpp>

#include <polyad/base/json_fields.hpp>
#include <polyad/base/simd_target.hpp>
#include <polyad/fit/verdict.hpp>
#include <polyad/model/compare.hpp>
#include <polyad/solve/options_json.hpp>
#include <polyad/version.hpp>

namespace polyad {

ModelFile to_model_file(const FitResult& result) {
  ModelFile file;
  file.model = result.model;
  file.labels = result.labels;
  file.options = to_json(result.options);
  file.summary["estimate"] = result.estimate;
  if (result.exact_loss) file.summary["exact-loss"] = *result.exact_loss;
  file.summary["why"] = word_of(result.why);
  file.summary["seconds"] = result.seconds;
  file.summary["best-start"] = result.starts[result.best_start].start + 1;
  file.summary["sampling"] = result.sampling;
  file.summary["version"] = version;
  file.summary["simd"] = word_of(simd_target());  // bits hold for one instruction set
  file.summary["verdict"] = to_json(result.verdict);
  add_likeness(file.diagnostics, result.likeness);
  for (const StartSummary& s : result.starts) {
    file.traces.push_back(s.trace);
    file.summary["starts"].push_back(
        {{"start", s.start + 1}, {"estimate", json_of(s.estimate)}, {"seconds", s.seconds}, {"why", word_of(s.why)}});
    if (s.exact_loss) file.summary["starts"].back()["exact-loss"] = json_of(*s.exact_loss);
    if (!s.note.empty()) file.summary["starts"].back()["note"] = s.note;
  }
  return file;
}

}  // namespace polyad
