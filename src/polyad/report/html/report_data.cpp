#include <polyad/model.hpp>
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

/// Maps of the first model's indices, for those of the page.
std::vector<RegionMap> placed_maps(std::vector<RegionMap> maps, const Labels& own, const Labels& shown) {
  for (RegionMap& map : maps) {
    const std::vector<std::string>& from = labels_of_mode(own, map.mode).entries;
    const std::vector<std::string>& to = shown.mode(map.mode).entries;
    if (from == to || from.empty()) continue;
    for (Region& region : map.regions) {
      region.index = static_cast<std::size_t>(std::ranges::find(to, from[region.index]) - to.begin());
    }
    for (std::size_t& index : map.absent) {
      index = static_cast<std::size_t>(std::ranges::find(to, from[index]) - to.begin());
    }
  }
  return maps;
}

Json names_json(const ModelFile& file) {
  const std::vector<std::string> names = component_names(file);
  if (names.empty()) return nullptr;
  Json out = Json::array();
  for (const std::string& name : names) out.push_back(printable(name));
  return out;
}

/// The same with every text made printable.
Json printable_json(const Json& json) {
  if (json.is_string()) return printable(json.get<std::string>());
  if (!json.is_structured()) return json;
  Json out = json.is_array() ? Json::array() : Json::object();
  for (const auto& [key, value] : json.items()) {
    if (json.is_array()) {
      out.push_back(printable_json(value));
    } else {
      out[key] = printable_json(value);
    }
  }
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
  out["surprise"] = model.surprise->json.empty() ? Json(nullptr) : printable_json(model.surprise->json);
  return out;
}

// Matches are over the labels that both models really have.
Json matches_json(const std::vector<ReportModel>& given) {
  std::vector<ReadableModel> shown;
  for (const ReportModel& model : given) shown.push_back(readable(model.file.model));
  Json out = Json::array();
  for (std::size_t a = 0; a < shown.size(); ++a) {
    for (std::size_t b = 0; b < shown.size(); ++b) {
      if (a == b) continue;
      const auto space = [&](std::size_t m) -> LabelledSpace {
        return {given[m].file.labels, given[m].file.model.factors.extents(), given[m].name};
      };
      const ModelMatch found = match_models(shown[a].model, space(a), shown[b].model, space(b));
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

Json report_data(const std::vector<ReportModel>& given, const ReportOptions& options) {
  const std::vector<ReportModel> models = on_common_labels(given);
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
  const std::vector<RegionMap> maps = placed_maps(options.maps, given.front().file.labels, labels);
  for (const RegionMap& map : maps) extracts.at(map.mode).full = true;

  Json out{{"version", version},
           {"title", printable(options.title.empty() ? models.front().name : options.title)},
           {"modes", Json::array()},
           {"models", Json::array()}};
  for (std::size_t m = 0; m < models.size(); ++m) {
    out["models"].push_back(model_json(models[m], shown[m], kinds, extracts));
  }
  for (std::size_t k = 0; k < extents.size(); ++k) {
    const auto map = std::find_if(maps.begin(), maps.end(), [&](const auto& m) { return m.mode == k; });
    out["modes"].push_back({{"name", printable(mode_title(labels, k))},
                            {"size", extents[k]},
                            {"kind", word_of_kind(kinds[k])},
                            {"labels", labels_json(labels.mode(k), extracts[k])},
                            {"map", map == maps.end() ? Json(nullptr) : map_json(*map)}});
  }
  out["matches"] = matches_json(given);
  return out;
}

}  // namespace polyad
