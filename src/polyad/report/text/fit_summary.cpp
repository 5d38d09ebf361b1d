#include <polyad/io/model_file.hpp>
#include <polyad/report.hpp>
#include <polyad/report/text/readable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

double number_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : std::nan("");
}

}  // namespace

std::string fit_summary(const ModelFile& file) {
  const auto loss = file.options->json.find("loss");
  if (loss == file.options->json.end() || !loss->is_string()) return {};
  std::string out = fmt::format("rank {}, loss {}", file.model.rank(), loss->get<std::string>());
  const double model = number_in(file.diagnostics->json, "loss"), none = number_in(file.diagnostics->json, "null-loss");
  const double best = number_in(file.diagnostics->json, "best-loss");
  if (none > best)
    out += fmt::format(", {} of the deviance explained", percent(std::max(0.0, 1 - (model - best) / (none - best))));
  const auto starts = file.summary->json.find("starts");
  if (starts != file.summary->json.end() && starts->is_array() && starts->size() > 1) {
    out += fmt::format(", best of {} starts", starts->size());
  }
  return out;
}

std::vector<std::string> component_names(const ModelFile& file) {
  const auto found = file.summary->json.find("component-names");
  if (found == file.summary->json.end() || !found->is_array() || found->size() != file.model.rank()) return {};
  std::vector<std::string> names;
  for (const auto& name : *found) names.push_back(name.is_string() ? name.get<std::string>() : "");
  return names;
}

}  // namespace polyad
