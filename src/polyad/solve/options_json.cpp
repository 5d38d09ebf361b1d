#include <polyad/base/error.hpp>
#include <polyad/solve/options_json.hpp>

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

namespace {

// Calls visit(field, group) for the field of this name; a usage error where there is none.
template <class Options, class Visit>
void visit_option(Options& options, std::string_view name, Visit visit) {
  std::vector<std::string_view> names;
  bool found = false;
  for_each_group(options, [&](std::string_view, auto& group) {
    for_each_field<std::remove_cvref_t<decltype(group)>>([&](const auto& f) {
      names.push_back(f.name);
      if (f.name != name) return;
      found = true;
      visit(f, group);
    });
  });
  if (!found) fail(ErrorKind::usage, "unknown option '{}'{}", name, did_you_mean(name, names));
}

}  // namespace

void set_option(FitOptions& options, std::string_view name, std::string_view value) {
  visit_option(options, name,
               [&](const auto& f, auto& group) { parse_value(option_name(f.name), value, group.*f.member); });
}

std::string option_text(const FitOptions& options, std::string_view name) {
  std::string text;
  visit_option(options, name, [&](const auto& f, const auto& group) { text = text_of(group.*f.member); });
  return text;
}

}  // namespace polyad
