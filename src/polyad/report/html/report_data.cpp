#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/model.hpp>
#include <polyad/model/compare.hpp>
#include <polyad/report.hpp>
#include <polyad/report/html/report_parts.hpp>
#include <polyad/report/text/readable.hpp>
#include <polyad/report/text/text.hpp>
#include <polyad/version.hpp>

#include <algorithm>

namespace polyad {

namespace {

Labels common_labels(const std::vector<ReportModel>& models) {
  const std::size_t modes = models.front().file.model.modes();
  Labels labels(modes);
  for (std::size_t k = 0; k < modes; ++k) {
    for (const ReportModel& model : models) {
      const ModeLabels& own = labels_of_mode(model.file.labels, k);
      if (labels.mode(k).name.empty()) labels.mode(k).name = own.name;
      if (labels.mode(k).entries.empty()) labels.mode(k).entries = own.entries;
    }
  }
  return labels;
}

void check_shapes(const std::vector<ReportModel>& models) {
  if (models.empty()) fail(ErrorKind::usage, "a report needs a model");
  const auto& extents = models.front().file.model.factors.extents();
  for (const ReportModel& model : models) {
    const auto& other = model.file.model.factors.extents();
    if (other != extents) {
      fail(ErrorKind::usage,
           "{} has shape {}, {} has {}: models of one report must be of the same data; make a report of each",
           model.name, joined(other, " x "), models.front().name, joined(extents, " x "));
    }
  }
}

Json names_json(const ModelFile& file) {
  const std::vector<std::string> names = component_names(file);
  if (names.empty()) return nullptr;
  Json out = Json::array();
  for (const std::string& name : names) out.push_back(printable(name));
  return out;
}

Json model_json(const ReportModel& model, const ReadableModel& shown, const std::vector<ModeKind>& kinds,
                std::vector<ModeExtract>& extracts) {
  const ModelFile& file = model.file;
  Json out{{"name", printable(model.name)},
           {"rank", shown.model.rank()},
           {"nonnegative", shown.nonnegative},
           {"weights", shown.model.weights},
           {"shares", shown.nonnegative ? Json(shown.shares) : Json(nullptr)},
           {"names", names_json(file)},
           {"factors", Json::array()}};
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    out["factors"].push_back(factor_json(shown.model, k, kinds[k], extracts[k]));
  }
  out["options"] = file.options->json;
  out["summary"] = file.summary->json;
  out["traces"] = traces_json(file.traces);
  out["fit"] = file.diagnostics->json;
  out["slices"] = slices_json(file, extracts);
  out["command"] = fit_command(file);
  return out;
}

Json matches_json(const std::vector<ReadableModel>& shown) {
  Json out = Json::array();
  for (std::size_t a = 0; a < shown.size(); ++a) {
    for (std::size_t b = 0; b < shown.size(); ++b) {
      if (a == b) continue;
      const ModelMatch found = match_models(shown[a].model, shown[b].model);
      Json match = Json::array();
      for (const std::size_t q : found.match) match.push_back(q == Score::npos ? Json(nullptr) : Json(q));
      out.push_back({{"a", a},
                     {"b", b},
                     {"score", found.score},
                     {"match", std::move(match)},
                     {"cosines", found.cosines},
                     {"modes", found.mode_cosines}});
    }
  }
  return out;
}

}  // namespace

Json report_data(const std::vector<ReportModel>& models, const ReportOptions& options) {
  check_shapes(models);
  const auto& extents = models.front().file.model.factors.extents();
  const Labels labels = common_labels(models);
  labels.check(IndexSpace(extents));

  std::vector<ReadableModel> shown;
  double components = 0;
  for (const ReportModel& model : models) {
    shown.push_back(readable(model.file.model));
    components += static_cast<double>(shown.back().model.rank());
  }
  std::vector<ModeKind> kinds;
  std::vector<ModeExtract> extracts(extents.size());
  for (std::size_t k = 0; k < extents.size(); ++k) {
    kinds.push_back(mode_kind(labels.mode(k), extents[k]));
    extracts[k].full = static_cast<double>(extents[k]) * components <= options.most_values;
  }
  for (const RegionMap& map : options.maps) extracts.at(map.mode).full = true;

  Json out{{"version", version},
           {"title", printable(options.title.empty() ? models.front().name : options.title)},
           {"modes", Json::array()},
           {"models", Json::array()}};
  for (std::size_t m = 0; m < models.size(); ++m) {
    out["models"].push_back(model_json(models[m], shown[m], kinds, extracts));
  }
  for (std::size_t k = 0; k < extents.size(); ++k) {
    const auto map = std::find_if(options.maps.begin(), options.maps.end(), [&](const auto& m) { return m.mode == k; });
    out["modes"].push_back({{"name", printable(mode_title(labels, k))},
                            {"size", extents[k]},
                            {"kind", word_of_kind(kinds[k])},
                            {"labels", labels_json(labels.mode(k), extracts[k])},
                            {"map", map == options.maps.end() ? Json(nullptr) : map_json(*map)}});
  }
  out["matches"] = matches_json(shown);
  return out;
}

}  // namespace polyad
