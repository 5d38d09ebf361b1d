// What a model file keeps of updates: each one's slices with their loss, and what slices count from now on.

#include <polyad/apply/update.hpp>

#include <polyad/base/fields.hpp>
#include <polyad/base/json_fields.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/version.hpp>

#include <algorithm>

namespace polyad {

namespace {

Json from_one(const std::vector<std::size_t>& positions) {
  Json out = Json::array();
  for (const std::size_t j : positions) out.push_back(j + 1);
  return out;
}

}  // namespace

ModelFile to_model_file(const Updated& result, const ModelFile& original, const UpdateOptions& options) {
  ModelFile file;
  file.model = result.model;
  file.labels = result.labels;
  file.options = original.options;
  file.options->json["rank"] = result.model.rank();
  file.traces = {result.trace};

  Json entry = Json::object();
  entry["mode"] = result.labels.mode_name(result.mode);
  entry["forget"] = options.forget;
  entry["sweeps"] = result.trace.size();
  entry["why"] = word_of(result.why);
  entry["seconds"] = result.seconds;
  entry["born"] = from_one(result.born);
  entry["died"] = from_one(result.died);
  entry["known-again"] = result.known_again;
  entry["slices"] = Json::array();
  for (const UpdatedSlice& slice : result.slices) {
    entry["slices"].push_back(
        {{"label", slice.label}, {"loss-before", json_of(slice.before)}, {"loss", json_of(slice.after)}});
  }
  Json& summary = file.summary->json;
  const auto earlier = original.summary->json.find("updates");
  summary["updates"] = earlier == original.summary->json.end() ? Json::array() : *earlier;
  summary["updates"].push_back(std::move(entry));
  summary["version"] = version;
  summary["why"] = word_of(result.why);
  summary["seconds"] = result.seconds;
  if (!result.remarks.empty()) summary["remarks"] = result.remarks;
  const bool all_count = std::ranges::all_of(result.remembered, [](double count) { return count == 1; });
  if (!all_count)
    summary["remembered"] = {{"mode", result.labels.mode_name(result.mode)}, {"counts", result.remembered}};
  return file;
}

}  // namespace polyad
