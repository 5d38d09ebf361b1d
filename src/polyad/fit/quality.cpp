#include <polyad/fit/verdict.hpp>

#include <polyad/base/exact_numbers.hpp>
#include <polyad/kernel/batch_objective.hpp>
#include <polyad/kernel/exact_objective.hpp>
#include <polyad/loss/best_value.hpp>
#include <polyad/model.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/solve/bounds.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace polyad {

namespace {

// Values and the weight that each has in all.
struct Values {
  std::vector<double> x, w;
};

Values all_values(const Tensor& tensor) {
  ValueWeights weights;
  if (const SparseTensor* sparse = tensor.sparse()) {
    const Records& records = sparse->records();
    for (std::size_t n = 0; n < records.size(); ++n) weights.add(records.value(n), records.weight(n));
    if (zeros_are_data(*sparse)) weights.add(0, sparse->zeros() * sparse->zero_weight());
  } else {
    const DenseTensor& dense = *tensor.dense();
    for (std::uint64_t cell = 0; cell < dense.cells(); ++cell) {
      if (!dense.missing(cell)) weights.add(dense.value(cell), dense.weight(cell));
    }
  }
  Values out;
  weights.collect(out.x, out.w);
  return out;
}

double weighted(const std::vector<double>& w, const std::vector<double>& f) {
  CompensatedSum sum;
  for (std::size_t t = 0; t < w.size(); ++t) {
    if (w[t] != 0) sum.add(w[t] * f[t]);
  }
  return sum.value();
}

bool all_alike(const Values& values) {
  std::optional<double> first;
  for (std::size_t t = 0; t < values.x.size(); ++t) {
    if (values.w[t] == 0) continue;
    if (first && *first != values.x[t]) return false;
    first = values.x[t];
  }
  return true;
}

void add_marks(const Values& values, const Loss& loss, ModelQuality& quality) {
  quality.null_value = best_constant(loss, values.x, values.w);
  std::vector<double> f(values.x.size());
  const std::vector<double> constant(values.x.size(), quality.null_value);
  loss.values(f.size(), values.x.data(), constant.data(), f.data());
  quality.null_loss = weighted(values.w, f);
  LeastLoss(loss).values(f.size(), values.x.data(), f.data());
  quality.best_loss = weighted(values.w, f);
  if (all_alike(values)) quality.null_loss = quality.best_loss;  // but for the search's last digits
}

// Of the sum of w f over samples begin .. end-1 of one stratum, each of which stands for as many cells as its weight says.
double squared_error(const Factors& model, const Batch& batch, const Loss& loss, std::size_t begin, std::size_t end) {
  const double n = static_cast<double>(end - begin);
  if (end - begin < 2) return 0;
  double sum = 0, squares = 0;
  for (std::size_t t = begin; t < end; ++t) {
    double m = 0;
    for (std::size_t j = 0; j < model.rank(); ++j) {
      double product = 1;
      for (std::size_t k = 0; k < model.modes(); ++k) product *= model.at(k, batch.index[k][t], j);
      m += product;
    }
    const double f = batch.w[t] * loss.value(batch.x[t], m);
    sum += f;
    squares += f * f;
  }
  return std::max(0.0, squares - sum * sum / n) * n / (n - 1);
}

// The part of a gradient entry that a bound leaves room for, within a step of `size`.
double projected(double a, double g, const Segment& segment, double size) {
  if (segment.fixed) return 0;
  const double room = g > 0 ? a - segment.lower : segment.upper - a;
  return room >= size ? g : g * std::max(0.0, room) / size;
}

void add_gradient(const Factors& given, const QualityRequest& request, ModelQuality& quality) {
  const Factors model = scale_free(request.segments) ? balanced(given) : given;
  Factors gradient(model.extents(), model.rank());
  ExactGradient(request.tensor, request.loss)(model, request.threads, gradient);
  double squares = 0, sizes = 0;
  for (std::size_t k = 0; k < model.modes(); ++k) {
    const auto a = model.mode_span(k);
    const auto g = gradient.mode_span(k);
    double size = 0;
    for (const double v : a) size += v * v;
    sizes += size;
    const double typical = std::sqrt(size / static_cast<double>(model.rows(k) * model.rank()));
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double p = projected(a[i], g[i], request.segments[k], typical);
      squares += p * p;
    }
  }
  quality.gradient = std::sqrt(squares);
  const double deviance = quality.null_loss - quality.best_loss;
  if (deviance > 0) quality.relative_gradient = std::sqrt(squares) * std::sqrt(sizes) / deviance;
}

}  // namespace

double ModelQuality::explained() const {
  const double deviance = null_loss - best_loss;
  const double rounding = 1e-12 * (std::abs(null_loss) + std::abs(best_loss));
  if (!(deviance > rounding)) return std::numeric_limits<double>::quiet_NaN();
  return 1 - (loss - best_loss) / deviance;
}

ModelQuality model_quality(const Factors& model, const QualityRequest& request) {
  ModelQuality quality;
  const auto exact = exact_objective(model, request.tensor, request.loss, request.most_cells, request.threads);
  if (exact) {
    quality.exact = true;
    quality.loss = *exact;
    add_marks(all_values(request.tensor), request.loss, quality);
    add_gradient(model, request, quality);
    return quality;
  }
  const Batch batch = estimate_batch(request.tensor, request.sample);
  quality.loss = estimate(model, batch, request.loss, request.threads);
  add_marks({{batch.x.begin(), batch.x.end()}, {batch.w.begin(), batch.w.end()}}, request.loss, quality);
  quality.standard_error = std::sqrt(squared_error(model, batch, request.loss, 0, batch.zeros_from) +
                                     squared_error(model, batch, request.loss, batch.zeros_from, batch.size()));
  return quality;
}

}  // namespace polyad
