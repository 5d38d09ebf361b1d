#include <polyad/solve/fit_options.hpp>

#include <polyad/base/json_fields.hpp>

namespace polyad {

void validate(const FitOptions& options) {
  for_each_group(options, [](std::string_view, const auto& group) { validate_fields(group); });
}

Json to_json(const FitOptions& options) {
  Json all = Json::object();
  for_each_group(options, [&](std::string_view, const auto& group) { all.update(fields_to_json(group)); });
  return all;
}

FitOptions fit_options_from_json(const Json& json) {
  FitOptions options;
  std::vector<std::string_view> names;
  Json rest = json;
  for_each_group(options, [&](std::string_view, auto& group) {
    using Group = std::remove_cvref_t<decltype(group)>;
    Json mine = Json::object();
    for_each_field<Group>([&](const auto& f) {
      const std::string name(f.name);
      names.push_back(f.name);
      if (rest.is_object() && rest.contains(name)) {
        mine[name] = rest[name];
        rest.erase(name);
      }
    });
    fields_from_json(mine, group);
  });
  if (!rest.is_object()) fail(ErrorKind::usage, "options: expected an object of names and values");
  if (!rest.empty()) {
    const std::string unknown = rest.begin().key();
    fail(ErrorKind::usage, "unknown option '{}'{}", unknown, did_you_mean(unknown, names));
  }
  return options;
}

}  // namespace polyad
