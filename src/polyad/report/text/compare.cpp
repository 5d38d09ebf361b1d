#include <polyad/report/text/compare.hpp>

#include <polyad/base/json_value.hpp>
#include <polyad/report/mode_kind.hpp>
#include <polyad/report/text/readable.hpp>
#include <polyad/report/text/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

constexpr double worth_a_line = 0.01;  // of a column, that a label gained or lost

// Unit columns and sizes, as people read them.
ReportModel as_read(const ReportModel& given) {
  ReportModel out{given.name, {}};
  out.file.model = readable(given.file.model).model;
  out.file.labels = given.file.labels;
  out.file.summary = given.file.summary;
  return out;
}

std::string title_of(const ReportModel& model, std::size_t j) {
  const std::vector<std::string> names = component_names(model.file);
  return names.empty() ? fmt::format("{}", j + 1) : fmt::format("{} {}", j + 1, printable(names[j]));
}

std::string strongest(const ReportModel& model, std::size_t j) {
  std::string text;
  for (std::size_t k = 0; k < model.file.model.modes(); ++k) {
    const auto top = top_entries(column_of(model.file.model, k, j), 2);
    for (const std::size_t i : top) {
      text += fmt::format("{}{}", text.empty() ? "" : ", ", printable(entry_title(model.file.labels, k, i)));
    }
  }
  return text;
}

std::string change_of(const ComponentChange& component) {
  const std::string word(words_of(component.change)[static_cast<std::size_t>(component.change)]);
  if (component.change == Change::same || !(component.before > 0)) return word;
  return fmt::format("{} (× {:.2f})", word, component.after / component.before);
}

// "more: 22:00 (4 % to 9 %); less: ..."
std::string labels_text(const ModelComparison& comparison, const ComponentChange& component, std::size_t k) {
  std::string text;
  const std::size_t mode = comparison.changes.shared.modes[k];
  for (const LabelChange& label : component.labels[k]) {
    if (std::abs(label.after - label.before) < worth_a_line) continue;
    text += fmt::format("{}{} {} to {}", text.empty() ? "" : ", ",
                        printable(entry_title(comparison.before.file.labels, mode, label.of_a)), percent(label.before),
                        percent(label.after));
  }
  return text;
}

}  // namespace

ModelComparison compare_models(const ReportModel& before, const ReportModel& after, const ChangeOptions& options) {
  ModelComparison out{as_read(before), as_read(after), {}};
  const ModelFile& a = out.before.file;
  const ModelFile& b = out.after.file;
  out.changes = changes(a.model, {a.labels, a.model.factors.extents(), before.name}, b.model,
                        {b.labels, b.model.factors.extents(), after.name}, options);
  return out;
}

std::string compare_text(const ModelComparison& comparison) {
  const ModelChanges& found = comparison.changes;
  std::string out = fmt::format("{} -> {}: likeness {:.3f} over what both have\n", printable(comparison.before.name),
                                printable(comparison.after.name), found.score.value);
  for (const std::string& remark : found.shared.remarks) out += fmt::format("  {}\n", printable(remark));
  for (const ComponentChange& component : found.components) {
    out += "\n";
    if (component.of_b == Score::npos) {
      out += fmt::format("{} -> gone: {}\n", title_of(comparison.before, component.of_a),
                         strongest(comparison.before, component.of_a));
      continue;
    }
    if (component.of_a == Score::npos) {
      out += fmt::format("new -> {}: {}\n", title_of(comparison.after, component.of_b),
                         strongest(comparison.after, component.of_b));
      continue;
    }
    out += fmt::format("{} -> {}: {}, likeness {:.3f}\n", title_of(comparison.before, component.of_a),
                       title_of(comparison.after, component.of_b), change_of(component), component.likeness);
    for (std::size_t k = 0; k < component.modes.size(); ++k) {
      const std::string labels = labels_text(comparison, component, k);
      if (labels.empty()) continue;
      out += fmt::format("  {} ({:.3f}): {}\n",
                         printable(mode_title(comparison.before.file.labels, found.shared.modes[k])),
                         component.modes[k], labels);
    }
  }
  return out;
}

Json compare_json(const ModelComparison& comparison) {
  const ModelChanges& found = comparison.changes;
  Json out{{"before", comparison.before.name},
           {"after", comparison.after.name},
           {"score", found.score.value},
           {"remarks", found.shared.remarks},
           {"components", Json::array()}};
  const auto number = [](std::size_t j) { return j == Score::npos ? Json(nullptr) : Json(j + 1); };
  for (const ComponentChange& component : found.components) {
    const bool pair = component.of_a != Score::npos && component.of_b != Score::npos;
    Json one{{"before", number(component.of_a)},
             {"after", number(component.of_b)},
             {"change", words_of(component.change)[static_cast<std::size_t>(component.change)]},
             {"likeness", pair ? Json(component.likeness) : Json(nullptr)},
             {"strength", {{"before", component.before}, {"after", component.after}}},
             {"modes", Json::array()}};
    for (std::size_t k = 0; k < component.modes.size(); ++k) {
      const std::size_t mode = found.shared.modes[k];
      Json labels = Json::array();
      for (const LabelChange& label : component.labels[k]) {
        labels.push_back({{"label", entry_title(comparison.before.file.labels, mode, label.of_a)},
                          {"before", label.before},
                          {"after", label.after}});
      }
      one["modes"].push_back({{"mode", mode_title(comparison.before.file.labels, mode)},
                              {"likeness", component.modes[k]},
                              {"labels", std::move(labels)}});
    }
    out["components"].push_back(std::move(one));
  }
  return out;
}

}  // namespace polyad
