// What is surprising, as text for terminals, as JSON and as a table.

#include <polyad/apply/surprise.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/table/csv_rows.hpp>
#include <polyad/io/table/csv_table.hpp>
#include <polyad/io/text/text_sink.hpp>
#include <polyad/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

namespace polyad {

namespace {

constexpr double log_10 = 2.302585092994046;
constexpr std::size_t most_scores = 20'000;  // of a mode, that JSON has in full

// "3.1e-12", also where that is no double.
std::string p_text(double log_p) {
  if (log_p > -690) return fmt::format("{:.2g}", std::exp(log_p));
  const double digits = log_p / log_10, whole = std::floor(digits);
  return fmt::format("{:.1f}e{:.0f}", std::pow(10.0, digits - whole), whole);
}

std::string number(double value) {
  return std::abs(value) >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string components_text(const SurpriseEntry& finding) {
  std::string text;
  for (const auto& [component, share] : finding.components) {
    text += fmt::format("{}{} ({:.0f} %)", text.empty() ? "" : ", ", component + 1, 100 * share);
  }
  return text;
}

std::string place_text(const Labels& labels, const std::vector<std::size_t>& modes, const std::vector<Index>& index) {
  std::string text;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    text += fmt::format("{}{}", k == 0 ? "" : " · ", labels.entry(modes[k], index[k]));
  }
  return text;
}

std::string names_text(const Labels& labels, const std::vector<std::size_t>& modes) {
  std::string text;
  for (const std::size_t k : modes) {
    if (!text.empty()) text += " · ";
    text += labels.mode_name(k);
  }
  return text;
}

// Where a slice's p is from, but for its own label.
std::string through_text(const Labels& labels, const SurpriseEntry& finding, std::size_t own) {
  Place place;
  for (std::size_t k = 0; k < finding.through.modes.size(); ++k) {
    if (finding.through.modes[k] == own) continue;
    place.modes.push_back(finding.through.modes[k]);
    place.index.push_back(finding.through.index[k]);
  }
  return place.modes.empty() ? std::string() : fmt::format(", at {}", place_text(labels, place.modes, place.index));
}

constexpr std::string_view table_row = "  {} {:>9}  {:>6}  {:>8}  {:<18}  {}";

std::string line_of(const Surprise& result, const SurpriseList& list, const SurpriseEntry& finding) {
  std::string line =
      fmt::format(table_row, finding.marked ? "*" : " ", p_text(finding.log_p), number(finding.observed),
                  number(finding.expected), fmt::format("({} to {})", number(finding.low), number(finding.high)),
                  place_text(result.labels, list.modes, finding.index));
  if (list.modes.size() == 1) line += through_text(result.labels, finding, list.modes[0]);
  return line;
}

void put_list(const Surprise& result, const SurpriseList& list, std::string_view what, std::string& out) {
  out += fmt::format("\n{} ({} of {} marked)\n", what, format_count(list.marked), format_count(list.tested));
  if (list.findings.empty()) {
    out += "  none\n";
    return;
  }
  for (const int side : {1, -1}) {
    bool any = false;
    for (const SurpriseEntry& finding : list.findings) {
      if (finding.side != side) continue;
      if (!any) {
        out += fmt::format("  {} than expected\n", side > 0 ? "more" : "less");
        out += fmt::format(table_row, " ", "p", "saw", "expected", "", names_text(result.labels, list.modes)) + "\n";
      }
      any = true;
      out += line_of(result, list, finding) + "\n";
    }
  }
}

Json json_of(const Surprise& result, const SurpriseList& list) {
  Json out;
  out["modes"] = Json::array();
  for (const std::size_t k : list.modes) out["modes"].push_back(result.labels.mode_name(k));
  out["tested"] = list.tested;
  out["marked"] = list.marked;
  out["log10-threshold"] = list.marked > 0 ? Json(list.threshold / log_10) : Json(nullptr);
  out["findings"] = Json::array();
  for (const SurpriseEntry& finding : list.findings) {
    Json one;
    for (std::size_t k = 0; k < list.modes.size(); ++k) {
      one["index"].push_back(finding.index[k] + 1);
      one["labels"].push_back(result.labels.entry(list.modes[k], finding.index[k]));
    }
    one["value"] = finding.observed;
    one["expected"] = finding.expected;
    one["low"] = finding.low;
    one["high"] = finding.high;
    one["p"] = std::exp(finding.log_p);
    one["log10-p"] = finding.log_p / log_10;
    one["residual"] = finding.residual;
    one["direction"] = finding.side > 0 ? "more" : "less";
    one["marked"] = finding.marked;
    one["components"] = Json::array();
    for (const auto& [component, share] : finding.components) {
      one["components"].push_back({{"component", component + 1}, {"share", share}});
    }
    if (list.modes.size() < result.labels.modes()) {
      one["marked-cells"] = {{"more", finding.more}, {"less", finding.less}};
    }
    if (!finding.through.modes.empty()) {
      Json through;
      for (std::size_t k = 0; k < finding.through.modes.size(); ++k) {
        through["modes"].push_back(result.labels.mode_name(finding.through.modes[k]));
        through["labels"].push_back(result.labels.entry(finding.through.modes[k], finding.through.index[k]));
      }
      one["through"] = through;
    }
    out["findings"].push_back(std::move(one));
  }
  return out;
}

void put_rows(const Surprise& result, const SurpriseList& list, std::string_view kind, std::string& out) {
  for (const SurpriseEntry& finding : list.findings) {
    out += kind;
    for (std::size_t k = 0; k < result.labels.modes(); ++k) {
      const auto held = std::ranges::find(list.modes, k);
      out += ',';
      if (held != list.modes.end()) {
        out += csv_cell(result.labels.entry(k, finding.index[static_cast<std::size_t>(held - list.modes.begin())]));
      }
    }
    out += fmt::format(",{:.10g},{:.10g},{:.10g},{:.10g},{:.6g},{:.6f},{:.6g},{},{},{}\n", finding.observed,
                       finding.expected, finding.low, finding.high, std::exp(finding.log_p), finding.log_p / log_10,
                       finding.residual, finding.side > 0 ? "more" : "less", finding.marked ? "yes" : "no",
                       csv_cell(components_text(finding)));
  }
}

}  // namespace

std::string surprise_text(const Surprise& result) {
  std::string out = fmt::format("loss {}", result.loss);
  if (result.scale) out += fmt::format(", scale {:.4g}", *result.scale);
  if (result.dispersion > 1) out += fmt::format(", variance {:.3g} times the mean", result.dispersion);
  out +=
      fmt::format("; marked (*): at most {:g} % of these are false alarms; in brackets where {:g} % of the data lie\n",
                  100 * result.false_alarms, 100 * result.level);
  put_list(result, result.cells, "Cells", out);
  for (const SurpriseList& list : result.slices) {
    put_list(result, list, fmt::format("By {}", result.labels.mode_name(list.modes[0])), out);
  }
  for (const SurpriseList& list : result.pairs) {
    put_list(result, list, fmt::format("By {}", names_text(result.labels, list.modes)), out);
  }
  return out;
}

Json json_of(const Surprise& result) {
  Json out;
  out["version"] = version;
  out["loss"] = result.loss;
  out["dispersion"] = result.dispersion;
  out["scale"] = result.scale ? Json(*result.scale) : Json(nullptr);
  out["level"] = result.level;
  out["false-alarms"] = result.false_alarms;
  out["exact"] = result.exact;
  out["seconds"] = result.seconds;
  out["remarks"] = result.remarks;
  out["cells"] = json_of(result, result.cells);
  out["slices"] = Json::array();
  for (const SurpriseList& list : result.slices) {
    Json& slices = out["slices"].emplace_back(json_of(result, list));
    const std::vector<double>& scores = result.slice_scores[list.modes[0]];
    if (scores.size() > most_scores) continue;
    for (const double score : scores) slices["scores"].push_back(std::round(100 * score) / 100);
  }
  out["pairs"] = Json::array();
  for (const SurpriseList& list : result.pairs) out["pairs"].push_back(json_of(result, list));
  return out;
}

std::string surprise_json(const Surprise& result) {
  return json_of(result).dump(2) + "\n";
}

std::string surprise_csv(const Surprise& result) {
  std::string out = "kind";
  for (std::size_t k = 0; k < result.labels.modes(); ++k)
    out += fmt::format(",{}", csv_cell(result.labels.mode_name(k)));
  out += ",value,expected,low,high,p,log10_p,residual,direction,marked,components\n";
  put_rows(result, result.cells, "cell", out);
  for (const SurpriseList& list : result.slices) put_rows(result, list, "slice", out);
  for (const SurpriseList& list : result.pairs) put_rows(result, list, "pair", out);
  return out;
}

void write_surprise(const std::string& path, const Surprise& result) {
  const bool json = std::filesystem::path(path).extension() == ".json";
  TextSink sink(path);
  const std::string text = json ? surprise_json(result) : surprise_csv(result);
  sink.buffer().append(text);
  sink.commit();
}

ModelFile to_model_file(const Surprise& result, const ModelFile& original) {
  ModelFile file;
  file.model = result.model;
  normalize(file.model);
  file.labels = result.labels;
  file.options = original.options;
  file.summary->json["version"] = version;
  return file;
}

}  // namespace polyad
