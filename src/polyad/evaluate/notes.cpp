#include <polyad/evaluate/notes.hpp>

#include <polyad/base/clock.hpp>
#include <polyad/fit/check_data.hpp>
#include <polyad/fit/plan.hpp>
#include <polyad/fit/verdict.hpp>
#include <polyad/solve/options_json.hpp>
#include <polyad/tensor/facts.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

namespace polyad {

namespace {

Json finite_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json deviance_json(const Deviance& deviance, std::uint64_t cells) {
  return {{"loss", finite_json(deviance.loss)},
          {"null-loss", finite_json(deviance.null_loss)},
          {"best-loss", finite_json(deviance.best_loss)},
          {"cells", cells}};
}

Json sample_json(const CellSample& sample) {
  Json observed = Json::array(), expected = Json::array();
  for (const double x : sample.observed) observed.push_back(finite_json(x));
  for (const double x : sample.expected) expected.push_back(finite_json(x));
  return {{"index", sample.index}, {"observed", std::move(observed)}, {"expected", std::move(expected)}};
}

}  // namespace

void add_diagnostics(ModelFile& file, const Diagnostics& d) {
  Json& out = file.diagnostics->json;
  out.update(deviance_json(d, d.cells));
  out["null-value"] = finite_json(d.null_value);
  out["exact"] = d.exact;
  if (d.observed) out["observed-cells"] = *d.observed;
  out["component-rise"] = Json::array();
  for (const double rise : d.component_rise) out["component-rise"].push_back(finite_json(rise));
  out["calibration"] = Json::array();
  for (const CalibrationBin& bin : d.calibration) {
    out["calibration"].push_back(
        {finite_json(bin.expected), finite_json(bin.observed), finite_json(bin.error), bin.cells});
  }
  if (d.roc) {
    Json points = Json::array();
    for (const Roc::Point& p : d.roc->points) points.push_back({p.false_rate, p.true_rate});
    out["roc"] = {{"auc", d.roc->auc}, {"points", std::move(points)}};
  }
  if (!d.rootogram.empty()) {
    out["rootogram"] = Json::array();
    for (const CountBin& bin : d.rootogram) {
      out["rootogram"].push_back({bin.count, finite_json(bin.observed), finite_json(bin.expected)});
    }
  }
  if (d.dispersion) out["dispersion"] = finite_json(*d.dispersion);
  out["sample"] = sample_json(d.sample);
  if (d.held_out) {
    out["held-out"] = deviance_json(*d.held_out, d.held_out->cells);
    if (d.held_out->auc) out["held-out"]["auc"] = *d.held_out->auc;
  }
  file.slices = d.slices;
}

Json to_json(const Evaluation& evaluation) {
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  const ModelQuality& quality = evaluation.verdict.quality;
  Json out;
  out["loss"] = number(quality.loss);
  out["exact"] = quality.exact;
  if (!quality.exact) out["standard-error"] = number(quality.standard_error);
  out["null-loss"] = number(quality.null_loss);
  out["best-loss"] = number(quality.best_loss);
  out["null-value"] = number(quality.null_value);
  out["explained"] = number(quality.explained());
  out["gradient"] = quality.gradient ? number(*quality.gradient) : Json(nullptr);
  out["relative-gradient"] = quality.relative_gradient ? number(*quality.relative_gradient) : Json(nullptr);
  out["components"] = Json::array();
  for (const ComponentWorth& c : evaluation.components) {
    out["components"].push_back({{"weight", number(c.weight)}, {"share", number(c.share)}, {"worth", number(c.worth)}});
  }
  out["verdict"] = to_json(evaluation.verdict);
  return out;
}

Json data_facts(const Tensor& tensor, const std::string& file) {
  const ValueFacts values = value_facts(tensor);
  Json out;
  out["file"] = file;
  out["shape"] = tensor.space().extents();
  out["observed"] = values.observed;
  if (tensor.is_sparse()) out["listed"] = tensor.sparse()->listed();
  out["sum"] = values.mean * values.observed;
  out["least"] = values.least;
  out["greatest"] = values.greatest;
  out["fingerprint"] = fmt::format("{:016x}", fingerprint(tensor));
  return out;
}

namespace {

void add_judgement(ModelFile& file, const Tensor& tensor, const Diagnostics& found, const FitSource& source,
                   double seconds) {
  add_diagnostics(file, found);
  file.diagnostics->json["data"] = data_facts(tensor, std::filesystem::path(source.data_file).filename().string());
  file.summary->json["diagnose-seconds"] = seconds;
}

// The cells that the model's fit held out, where it was a fit of these data.
std::optional<HeldOutSplit> held_out_again(const ModelFile& file, const Tensor& tensor) {
  const Json& options = file.options->json;
  const auto cells = options.find("holdout");
  const auto seed = options.find("holdout-seed");
  if (cells == options.end() || !cells->is_string() || cells->get<std::string>().empty()) return std::nullopt;
  const Json& known = file.diagnostics->json;
  const auto data = known.find("data");
  if (data == known.end() || !data->is_object()) return std::nullopt;
  if (data->value("fingerprint", "") != fmt::format("{:016x}", fingerprint(tensor))) return std::nullopt;
  HoldoutOptions holdout{.cells = cells->get<std::string>()};
  if (seed != options.end() && seed->is_number_unsigned()) holdout.seed = seed->get<std::uint64_t>();
  return hold_out(tensor, holdout);
}

}  // namespace

ModelFile judged(FitResult& result, const Tensor& tensor, const FitSource& source) {
  const Stopwatch clock;
  SampleOptions sample;
  sample.estimate_seed = result.options.sample.estimate_seed;
  const Loss loss = source.loss != nullptr ? *source.loss : parse_loss(result.options.loss);
  const HeldOutSplit* split = result.held_out.get();
  const Diagnostics found = diagnose(split != nullptr ? split->training : tensor, result.model, loss, sample,
                                     split != nullptr ? &split->cells : source.held_out);
  if (found.held_out && found.held_out->null_loss > found.held_out->best_loss) {
    result.verdict.held_out_explained = found.held_out->explained();
  }
  ModelFile file = to_model_file(result);
  if (!source.command.empty()) file.summary->json["command"] = source.command;
  if (source.read_seconds) file.summary->json["read-seconds"] = *source.read_seconds;
  add_judgement(file, tensor, found, source, clock.seconds());
  return file;
}

bool judge(ModelFile& file, const Tensor& tensor, const FitSource& source) {
  const Json& options = file.options->json;
  const auto spec = options.find("loss");
  const bool named = spec != options.end() && spec->is_string();
  if (source.loss == nullptr && !named) return false;
  const Stopwatch clock;
  SampleOptions sample;
  const auto seed = options.find("estimate-seed");
  if (seed != options.end() && seed->is_number_unsigned()) sample.estimate_seed = seed->get<std::uint64_t>();
  const Loss loss = source.loss != nullptr ? *source.loss : parse_loss(spec->get<std::string>());
  const std::optional<HeldOutSplit> split = held_out_again(file, tensor);
  const Diagnostics found =
      diagnose(split ? split->training : tensor, file.model, loss, sample, split ? &split->cells : source.held_out);
  add_judgement(file, tensor, found, source, clock.seconds());
  return true;
}

FitOptions options_of(const ModelFile& file) {
  return fit_options_from_json(file.options->json);
}

std::string factor_bound(const LossInfo& info) {
  return info.lower == no_bound ? "any" : fmt::format("at least {}", info.lower);
}

Json losses_json(std::span<const Loss> losses) {
  Json list = Json::array();
  for (const Loss& loss : losses) {
    const LossInfo& info = loss.info();
    Json parameters = Json::object();
    for (const auto& [name, value] : loss.parameters()) parameters[name] = value;
    list.push_back({{"name", info.name},
                    {"formula", info.formula},
                    {"data", info.data},
                    {"model", info.link},
                    {"values", describe(info.domain)},
                    {"factors", factor_bound(info)},
                    {"parameters", std::move(parameters)},
                    {"exact-zeros", info.zero_sum != ZeroSum::none}});
  }
  return list;
}

Json tensor_json(const Tensor& tensor, const OptionStyle& style) {
  const ValueFacts facts = value_facts(tensor);
  Json out;
  out["shape"] = tensor.space().extents();
  out["storage"] = tensor.is_sparse() ? "sparse" : "dense";
  out["cells"] = tensor.space().cells();
  if (tensor.is_sparse()) out["listed"] = tensor.listed();
  out["observed"] = facts.observed;
  out["zeros"] = facts.zeros;
  out["least"] = facts.least;
  out["greatest"] = facts.greatest;
  out["mean"] = facts.mean;
  for (const HistogramBar& bar : value_histogram(tensor, facts)) {
    out["histogram"].push_back({{"values", bar.label}, {"cells", bar.count}});
  }
  for (std::size_t k = 0; k < tensor.space().modes(); ++k) {
    out["modes"].push_back({{"name", tensor.labels().mode_name(k)},
                            {"extent", tensor.space().extent(k)},
                            {"labelled", !tensor.labels().mode(k).entries.empty()}});
  }
  if (const std::string ratings = unlisted_ratings(tensor); !ratings.empty())
    out["remark"] = shown_options(ratings, style);
  for (const LossAdvice& advice : advise_losses(tensor)) {
    out["losses"].push_back({{"loss", advice.loss}, {"reason", shown_options(advice.reason, style)}});
  }
  return out;
}

Json short_json(const ModelFile& file) {
  Json out;
  out["summary"] = file.summary->json;
  out["options"] = file.options->json;
  out["weights"] = file.model.weights;
  out["diagnostics"] = file.diagnostics->json;
  out["diagnostics"].erase("sample");
  return out;
}

std::string json_text(const Tensor& tensor, const OptionStyle& style) {
  return tensor_json(tensor, style ? style : plain_options).dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string json_text(const Evaluation& evaluation) {
  return to_json(evaluation).dump(2);
}

std::string json_text(const ModelFile& file) {
  return short_json(file).dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace polyad
