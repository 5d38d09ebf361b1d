#include <polyad/base/json_fields.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/base/text.hpp>
#include <polyad/fields.hpp>
#include <polyad/fit/plan.hpp>
#include <polyad/fit/verdict.hpp>
#include <polyad/model/compare.hpp>
#include <polyad/solve/options_json.hpp>
#include <polyad/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

std::string percent_text(double part) {
  const double percent = 100 * part;
  if (percent != 0 && std::abs(percent) < 0.1) return fmt::format("{:.2g} %", percent);
  return fmt::format("{:.3g} %", percent);
}

std::string numbers(const std::vector<std::size_t>& positions) {
  std::vector<std::string> texts;
  for (const std::size_t j : positions) texts.push_back(std::to_string(j + 1));
  return joined(texts, ", ");
}

Json number_or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

// Numbers that only an expert reads are left to `details`.
std::string end_text(const FitVerdict& v) {
  if (v.converged()) return "converged";
  if (v.unusable()) return "no usable model";
  if (!v.idle.empty()) return "not converged: some components do no work";
  if (const auto& gradient = v.quality.relative_gradient) {
    return fmt::format("not fully converged: relative error about {:.1g}", *gradient);
  }
  if (!v.last_change) return "not known whether it converged";
  return fmt::format("not fully converged: the last epoch changed the loss by {} of the deviance",
                     percent_text(std::abs(*v.last_change)));
}

}  // namespace

bool FitVerdict::finite() const {
  return std::isfinite(quality.loss);
}

bool FitVerdict::nothing_to_explain() const {
  return finite() && std::isnan(quality.explained());
}

bool FitVerdict::worse_than_constant() const {
  constexpr double rounding = 1e-9;
  return !finite() || quality.explained() <= rounding;
}

bool FitVerdict::unusable() const {
  if (!finite()) return true;
  return !nothing_to_explain() && (zero_model() || worse_than_constant());
}

bool FitVerdict::converged() const {
  if (!finite() || unusable()) return false;
  if (nothing_to_explain()) return true;
  if (!idle.empty()) return false;
  if (quality.relative_gradient) return *quality.relative_gradient <= flat;
  return last_change && std::abs(*last_change) <= still;
}

std::string sentence(const FitVerdict& v) {
  std::string text = end_text(v);
  if (v.nothing_to_explain()) return text + ", all data are alike: there is nothing to explain";
  text += fmt::format(", {} of the deviance explained{}", percent_text(v.quality.explained()),
                      v.quality.exact ? "" : " (estimated)");
  if (v.held_out_explained) text += fmt::format(", {} in held-out cells", percent_text(*v.held_out_explained));
  return text;
}

double StartSummary::before_finish() const {
  std::optional<double> lowest;
  for (const TraceRow& row : trace) {
    if (row.rate > 0) lowest = std::fmin(row.estimate, lowest.value_or(row.estimate));
  }
  return lowest.value_or(estimate);
}

std::string details(const FitResult& result) {
  const StartSummary& best = result.starts.at(result.best_start);
  std::string text = fmt::format("the best start ended with: {}", word_of(result.why));
  if (!best.note.empty()) text += ", " + best.note;
  const FitVerdict& v = result.verdict;
  if (v.quality.relative_gradient) text += fmt::format(", relative gradient {:.2g}", *v.quality.relative_gradient);
  if (v.last_change) text += fmt::format(", last epoch's change {:.2g} of the deviance", *v.last_change);
  return text;
}

std::vector<std::string> warnings(const FitVerdict& v) {
  std::vector<std::string> out;
  if (!v.finite()) out.emplace_back("the model's loss is not finite");
  if (v.unusable() && v.zero_model()) {
    out.emplace_back("the model is zero everywhere; use another seed, more starts or a lower rank");
  } else if (v.unusable() && v.finite()) {
    out.push_back(
        fmt::format("the model is no better than the best constant ({} of the deviance explained); use more "
                    "starts, more epochs or another loss",
                    percent_text(v.quality.explained())));
  }
  if (!v.nothing_to_explain() && !v.zero_model() && !v.idle.dead.empty()) {
    const bool one = v.idle.dead.size() == 1;
    out.push_back(fmt::format("component{} {} of {} {} nothing; a lower rank may do", one ? "" : "s",
                              numbers(v.idle.dead), v.rank, one ? "explains" : "explain"));
  }
  for (const IdleComponents::Copy& copy : v.idle.copies) {
    if (v.nothing_to_explain()) break;
    out.push_back(
        fmt::format("component {} repeats component {}; a lower rank may do", copy.component + 1, copy.of + 1));
  }
  if (v.nearest_start && *v.nearest_start < alike && !v.nothing_to_explain()) {
    out.push_back(
        fmt::format("starts disagree: the one most like the best is {:.2f} like it (1: the same); use more "
                    "starts, or a lower rank",
                    *v.nearest_start));
  }
  if (v.held_out_explained && *v.held_out_explained <= 0) {
    out.push_back(fmt::format("in held-out cells the model is no better than the best constant ({} explained)",
                              percent_text(*v.held_out_explained)));
  }
  return out;
}

Json to_json(const FitVerdict& v) {
  Json out;
  out["sentence"] = sentence(v);
  out["warnings"] = warnings(v);
  out["converged"] = v.converged();
  out["unusable"] = v.unusable();
  out["worse-than-constant"] = v.worse_than_constant() && !v.nothing_to_explain();
  out["zero-model"] = v.zero_model();
  out["loss"] = number_or_null(v.quality.loss);
  out["exact"] = v.quality.exact;
  if (!v.quality.exact) out["standard-error"] = number_or_null(v.quality.standard_error);
  out["explained"] = number_or_null(v.quality.explained());
  out["gradient"] = number_or_null(v.quality.gradient);
  out["relative-gradient"] = number_or_null(v.quality.relative_gradient);
  out["last-change"] = number_or_null(v.last_change);
  out["dead"] = Json::array();
  for (const std::size_t j : v.idle.dead) out["dead"].push_back(j + 1);
  out["copies"] = Json::array();
  for (const IdleComponents::Copy& copy : v.idle.copies) out["copies"].push_back({copy.component + 1, copy.of + 1});
  out["nearest-start"] = number_or_null(v.nearest_start);
  out["held-out-explained"] = number_or_null(v.held_out_explained);
  return out;
}

std::optional<double> last_change(const Trace& trace, double deviance) {
  const TraceRow* last = nullptr;
  const TraceRow* before = nullptr;
  for (const TraceRow& row : trace) {
    if (!row.accepted || !std::isfinite(row.estimate)) continue;
    before = last;
    last = &row;
  }
  if (before == nullptr || !(deviance > 0)) return std::nullopt;
  return (before->estimate - last->estimate) / deviance;
}

std::optional<double> nearest_start(const StartLikeness& likeness, std::size_t best) {
  std::optional<double> nearest;
  for (std::size_t s = 0; s < likeness.to_best.size(); ++s) {
    if (s != best) nearest = std::max(nearest.value_or(0.0), likeness.to_best[s]);
  }
  return nearest;
}

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
