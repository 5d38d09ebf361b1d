#include <polyad/report/text/component_names.hpp>

#include <polyad/base/json_value.hpp>

namespace polyad {

std::vector<std::string> component_names(const ModelFile& file) {
  const auto found = file.summary->json.find("component-names");
  if (found == file.summary->json.end() || !found->is_array() || found->size() != file.model.rank()) return {};
  std::vector<std::string> names;
  for (const auto& name : *found) names.push_back(name.is_string() ? name.get<std::string>() : "");
  return names;
}

}  // namespace polyad
