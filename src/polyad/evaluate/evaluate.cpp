#include <polyad/evaluate.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/fit/check_data.hpp>
#include <polyad/fit/held_out_loss.hpp>
#include <polyad/fit/verdict.hpp>
#include <polyad/kernel/batch_objective.hpp>
#include <polyad/kernel/exact_objective.hpp>
#include <polyad/model.hpp>
#include <polyad/solve/revive.hpp>
#include <polyad/tensor/tensor.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace polyad {

namespace {

constexpr double worth_cells = 4e7;  // evaluations for the worth of all components

std::vector<Segment> bounded_below(const Factors& factors, double lower) {
  std::vector<Segment> segments(factors.modes());
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    segments[k].begin = factors.mode_begin(k);
    segments[k].size = factors.mode_span(k).size();
    segments[k].lower = lower;
    segments[k].upper = std::numeric_limits<double>::infinity();
  }
  return segments;
}

std::vector<ComponentWorth> worth_of_components(const KTensor& model, const Factors& balanced, const Tensor& tensor,
                                                const Loss& loss, const EvaluateSettings& settings, double deviance,
                                                std::size_t threads) {
  const std::size_t r = model.rank();
  const double each = worth_cells / static_cast<double>(r);
  std::optional<Batch> batch;
  const auto objective = [&](const Factors& factors) {
    if (!batch) {
      if (const auto exact = exact_objective(factors, tensor, loss, each, threads)) return *exact;
      batch = estimate_batch(tensor, settings.sample);
    }
    return estimate(factors, *batch, loss, threads);
  };
  const double with_all = objective(balanced);
  const std::vector<double> sizes = component_sizes(model);
  const double total = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  std::vector<ComponentWorth> out(r);
  Factors without;
  for (std::size_t j = 0; j < r; ++j) {
    without = balanced;
    for (std::size_t i = 0; i < without.rows(0); ++i) without.at(0, i, j) = 0;
    const double rise = objective(without) - with_all;
    out[j] = {model.weights[j], total > 0 ? sizes[j] / total : 0.0, deviance > 0 ? rise / deviance : std::nan("")};
  }
  return out;
}

}  // namespace

EvaluateSettings evaluate_settings(const Loss& loss) {
  EvaluateSettings settings;
  settings.lower = loss.info().lower;
  return settings;
}

void check_same_cells(const Tensor& tensor, const KTensor& model, const Labels& model_labels) {
  const auto extents = tensor.space().extents();
  const auto& own = model.factors.extents();
  if (!std::equal(extents.begin(), extents.end(), own.begin(), own.end())) {
    fail(ErrorKind::data, "the model is of shape {}, the data are of shape {}", IndexSpace(own).to_string(),
         tensor.space().to_string());
  }
  for (std::size_t k = 0; k < std::min(model_labels.modes(), tensor.labels().modes()); ++k) {
    const auto& ours = model_labels.mode(k).entries;
    const auto& theirs = tensor.labels().mode(k).entries;
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
      if (ours[i] == theirs[i]) continue;
      fail(ErrorKind::data, "{}: index {} is '{}' in the model and '{}' in the data; they must have the same labels",
           tensor.labels().mode_name(k), i + 1, ours[i], theirs[i]);
    }
  }
}

Evaluation evaluate(const Tensor& tensor, const KTensor& given, const Loss& loss, const EvaluateSettings& settings) {
  check_same_cells(tensor, given, {});
  check_domain(tensor, loss);
  KTensor model = given;
  normalize(model);
  KTensor spread = model;
  distribute_weights(spread);
  const Factors& balanced = spread.factors;
  if (!balanced.all_finite()) fail(ErrorKind::diverged, "the model has entries that are not finite");
  const std::vector<Segment> segments = bounded_below(balanced, settings.lower);
  const std::size_t threads = thread_count(settings.threads);

  Evaluation out;
  out.verdict.rank = model.rank();
  out.verdict.quality =
      model_quality(balanced, {tensor, loss, segments, settings.sample, settings.most_cells, threads});
  if (!out.verdict.finite()) {
    fail(ErrorKind::diverged, "the loss {} of this model is not finite{}", loss.spec(),
         loss.info().lower == 0 ? "; it needs model values of at least 0" : "");
  }
  const ModelQuality& quality = out.verdict.quality;
  out.verdict.idle = useless_components(balanced, {tensor, loss, segments, settings.sample, threads});
  if (settings.held_out != nullptr && settings.held_out->size() > 0) {
    out.verdict.held_out_explained =
        held_out_sums(given, *settings.held_out, loss, quality.null_value, threads).explained();
  }
  out.components =
      worth_of_components(model, balanced, tensor, loss, settings, quality.null_loss - quality.best_loss, threads);
  return out;
}

}  // namespace polyad
