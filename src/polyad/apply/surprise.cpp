#include <polyad/apply/surprise.hpp>

#include <polyad/apply/model_of_data.hpp>
#include <polyad/apply/model_rows.hpp>
#include <polyad/apply/surprise_lists.hpp>
#include <polyad/apply/transform.hpp>
#include <polyad/base/clock.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/base/text.hpp>
#include <polyad/fit/check_data.hpp>
#include <polyad/sample/sampler.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polyad {

namespace {

constexpr double scatter_cells = 1e6;  // up to this many, all of them say how far data scatter
constexpr double zero_factor = 7;      // in log p, by which a search that was given up is made narrower

SurpriseLaw law_for(const Tensor& tensor, const Factors& model, const Loss& loss, const SurpriseOptions& options) {
  const LossInfo& info = loss.info();
  if (options.scale && !has_scale(info)) {
    fail(ErrorKind::usage, "loss {} has no scale of its own: leave `scale` out", loss.name());
  }
  if (options.dispersion && !has_dispersion(info)) {
    fail(ErrorKind::usage, "`dispersion` is for loss poisson, not for {}: leave it out", loss.name());
  }
  std::optional<double> scale = options.scale;
  double dispersion = options.dispersion.value_or(1);
  const bool known = has_scale(info) ? scale.has_value() : !has_dispersion(info) || options.dispersion.has_value();
  if (!known) {
    const Batch batch = tensor.observed() <= scatter_cells ? exhaustive_batch(tensor) : estimate_batch(tensor, {});
    const SurpriseLaw any(loss, 1.0, 1.0);
    std::vector<double> mean;
    Judge{model, loss, any, 1}.means(batch, mean);
    const Scatter scatter = scatter_of(loss, batch, mean);
    scale = scatter.scale;
    dispersion = scatter.dispersion;
  }
  return {loss, scale, dispersion};
}

void judge_stored(const Tensor& tensor, const Judge& judge, const SurpriseOptions& options, Totals& totals,
                  FoundCells& out) {
  const double log_alarms = std::log(options.false_alarms);
  double bar = least_listed;
  std::vector<Index> cell(tensor.space().modes());
  for_each_round(tensor, judge, [&](std::span<const JudgedPart> parts) {
    for (const JudgedPart& part : parts) {
      for (std::size_t t = 0; t < part.batch.size(); ++t) {
        const double p = part.log_p[t];
        const bool listed = p <= bar && is_wanted(part.side[t], options.direction);
        if (!listed && p > log_alarms) continue;
        for (std::size_t k = 0; k < cell.size(); ++k) cell[k] = part.batch.index[k][t];
        if (p <= log_alarms) out.probable.append(cell.data(), p, part.side[t]);
        if (listed) out.best.append(cell.data(), p, part.side[t]);
      }
      if (out.best.size() < 4 * options.top) continue;
      out.best.keep_best(options.top);
      bar = std::min(bar, out.best.log_p.back());
    }
    totals.add(parts);
  });
  out.best.keep_best(options.top);
}

// How many unlisted zeros can have at most this p, without looking: by what the model expects in all (Markov's inequality), or
// the square of it (Chebyshev's).
double zeros_at_most(const SparseTensor& tensor, const Judge& judge, double log_p) {
  const ZeroSum form = judge.loss.info().zero_sum;
  const double zeros = tensor.zeros(), mean = judge.law.mean_of_zero(log_p);
  if (form == ZeroSum::none || !(mean > 0)) return zeros;
  const bool positive = std::ranges::all_of(judge.model.flat(), [](double a) { return a >= 0; });
  if (form == ZeroSum::linear && !positive) return zeros;
  const KTensor model(judge.model);
  if (form == ZeroSum::quadratic) return std::min(zeros, std::pow(norm(model) / mean, 2));
  double total = 0;
  for (std::size_t j = 0; j < model.rank(); ++j) {
    double part = 1;
    for (std::size_t k = 0; k < model.modes(); ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < model.factors.rows(k); ++i) sum += model.factors.at(k, i, j);
      part *= sum;
    }
    total += part;
  }
  return std::min(zeros, total / mean);
}

// The largest p that could be marked: count(p) >= p tested / share must hold, and falls with every round.
double highest_threshold(const Tensor& tensor, const Judge& judge, const std::vector<double>& sorted, double share) {
  const double tested = tensor.observed();
  double log_p = std::log(share);
  for (int round = 0; round < 50; ++round) {
    double count = static_cast<double>(std::ranges::upper_bound(sorted, log_p) - sorted.begin());
    count += zeros_at_most(*tensor.sparse(), judge, log_p);
    const double next = std::log(share) + std::log(std::max(count, 1.0)) - std::log(tested);
    if (!(next < log_p - 0.01)) break;
    log_p = next;
  }
  return log_p;
}

void judge_zeros(const Tensor& tensor, const Judge& judge, const SurpriseOptions& options, double& steps,
                 FoundCells& out) {
  std::vector<double> sorted = out.probable.log_p;
  std::ranges::sort(sorted);
  const SparseTensor* const sparse = tensor.sparse();
  if (sparse != nullptr && sparse->unlisted() == Unlisted::zero && sparse->zeros() > 0) {
    const ZeroSearch search(*sparse, judge);
    double reach = highest_threshold(tensor, judge, sorted, options.false_alarms);
    while (!search.find_all(reach, out.zeros)) {
      out.exact = false;
      out.zeros = RankedCells(tensor.space().modes());
      reach -= zero_factor;
      if (reach < -700) break;
    }
    std::erase_if(sorted, [&](double p) { return p > reach; });
    const auto middle = sorted.insert(sorted.end(), out.zeros.log_p.begin(), out.zeros.log_p.end());
    std::sort(middle, sorted.end());
    std::inplace_merge(sorted.begin(), middle, sorted.end());
    if (options.direction != Direction::more || judge.law.law() == Law::normal) {
      const bool more = options.direction != Direction::less, less = options.direction != Direction::more;
      out.exact = search.find_best(options.top, least_listed, more, less, out.best) && out.exact;
    }
    steps = search.steps();
  }
  out.threshold = threshold_of(sorted, tensor.observed(), options.false_alarms);
}

}  // namespace

Surprise surprise(const ModelFile& file, Tensor data, const SurpriseOptions& options) {
  const Stopwatch clock;
  validate_fields(options);
  const Loss loss = loss_of_model(file, options.loss);
  if (loss.info().law == Law::none) {
    fail(ErrorKind::usage, "loss {} has no likelihood, so that nothing can be called improbable", loss.name());
  }
  ModelOfData both = model_of_data(file, std::move(data), options, options.loss, options.threads);
  check_domain(both.tensor, loss);
  const Factors& model = both.model.factors;
  const SurpriseLaw law = law_for(both.tensor, model, loss, options);
  const Judge judge{model, loss, law, thread_count(options.threads)};
  Surprise out;
  out.remarks = std::move(both.remarks);
  const TotalsWay way = totals_way(both.tensor, loss);
  Totals totals(both.tensor, judge, way, options.pairs);
  FoundCells found(model.modes());
  judge_stored(both.tensor, judge, options, totals, found);
  judge_zeros(both.tensor, judge, options, out.searched, found);
  totals.finish();
  make_lists(both.tensor, judge, options, totals, found, out);
  if (way == TotalsWay::none) {
    out.remarks.push_back(fmt::format("slices and pairs are left out: with loss {} they take a visit to all {} cells",
                                      loss.name(), format_count(both.tensor.space().cells())));
  }
  for (const auto& [k, l] : totals.left_out()) {
    out.remarks.push_back(fmt::format("{} x {} is left out: too many pairs", both.tensor.labels().mode_name(k),
                                      both.tensor.labels().mode_name(l)));
  }
  out.exact = found.exact;
  if (!out.exact) {
    out.remarks.emplace_back(
        "the search for surprising zeros was given up after some seconds: others than those listed may belong there");
  }
  out.labels = both.tensor.labels();
  out.model = std::move(both.model);
  out.loss = loss.spec();
  out.dispersion = law.dispersion();
  out.scale = law.scale();
  out.level = options.level;
  out.false_alarms = options.false_alarms;
  out.seconds = clock.seconds();
  return out;
}

}  // namespace polyad
