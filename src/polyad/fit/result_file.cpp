#include <polyad/fit/plan.hpp>

#include <polyad/base/json_fields.hpp>
#include <polyad/fit/verdict.hpp>
#include <polyad/model/compare.hpp>
#include <polyad/solve/options_json.hpp>
#include <polyad/version.hpp>

namespace polyad {

ModelFile to_model_file(const FitResult& result) {
  ModelFile file;
  file.model = result.model;
  file.labels = result.labels;
  file.options->json = to_json(result.options);
  file.summary->json["estimate"] = result.estimate;
  if (result.exact_loss) file.summary->json["exact-loss"] = *result.exact_loss;
  file.summary->json["why"] = word_of(result.why);
  file.summary->json["seconds"] = result.seconds;
  file.summary->json["best-start"] = result.starts[result.best_start].start + 1;
  file.summary->json["sampling"] = result.sampling;
  file.summary->json["version"] = version;
  file.summary->json["simd"] = word_of(result.simd);
  for (const std::string& remark : result.remarks) {
    file.summary->json["remarks"].push_back(shown_options(remark, plain_options));
  }
  file.summary->json["verdict"] = to_json(result.verdict);
  add_likeness(file.diagnostics->json, result.likeness);
  for (const StartSummary& s : result.starts) {
    file.traces.push_back(s.trace);
    file.summary->json["starts"].push_back(
        {{"start", s.start + 1}, {"estimate", json_of(s.estimate)}, {"seconds", s.seconds}, {"why", word_of(s.why)}});
    if (s.exact_loss) file.summary->json["starts"].back()["exact-loss"] = json_of(*s.exact_loss);
    if (!s.note.empty()) file.summary->json["starts"].back()["note"] = s.note;
  }
  return file;
}

}  // namespace polyad
