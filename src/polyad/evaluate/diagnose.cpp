#include <polyad/base/error.hpp>
#include <polyad/evaluate.hpp>

#include <polyad/evaluate/judged_cells.hpp>
#include <polyad/kernel/batch_objective.hpp>
#include <polyad/model.hpp>
#include <polyad/sample/sampler.hpp>
#include <polyad/tensor/tensor.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace polyad {

namespace {

constexpr double every_cell = 1e6;          // where there are no more, all are judged
constexpr std::size_t sample_cells = 1000;  // to look at
constexpr std::size_t calibration_groups = 20;
constexpr double most_rises = 2e7;  // loss evaluations for the components

Batch judged_batch(const Tensor& tensor, const SampleOptions& options) {
  return tensor.observed() <= every_cell ? exhaustive_batch(tensor) : estimate_batch(tensor, options);
}

/// Every value with its weight in all: of all data where that is known, else of the sample.
ValueWeights value_weights(const Tensor& tensor, const Batch& batch, bool exact) {
  ValueWeights weights;
  if (!exact) {
    for (std::size_t t = 0; t < batch.size(); ++t) weights.add(batch.x[t], batch.w[t]);
    return weights;
  }
  const SparseTensor& sparse = *tensor.sparse();
  for (std::size_t n = 0; n < sparse.records().size(); ++n) {
    weights.add(sparse.records().value(n), sparse.records().weight(n));
  }
  weights.add(0, sparse.zeros() * sparse.zero_weight());
  return weights;
}

/// Every `step`-th cell, weights raised to stand for the others.
Batch every_nth(const Batch& batch, std::size_t step) {
  const std::size_t kept = (batch.size() + step - 1) / step;
  const double raise = static_cast<double>(batch.size()) / static_cast<double>(kept);
  Batch out;
  out.resize(batch.modes(), kept, false);
  for (std::size_t n = 0; n < kept; ++n) {
    for (std::size_t k = 0; k < batch.modes(); ++k) out.index[k][n] = batch.index[k][n * step];
    out.x[n] = batch.x[n * step];
    out.w[n] = raise * batch.w[n * step];
  }
  return out;
}

/// What each component alone explains: replaces its values by their mean over all cells and sees the loss rise.
std::vector<double> component_rises(const Factors& model, const Batch& all, const Loss& loss, double null_value,
                                    LeastLoss& least) {
  const std::size_t r = model.rank();
  const double evaluations = static_cast<double>(all.size()) * static_cast<double>(r);
  const Batch batch = every_nth(all, static_cast<std::size_t>(evaluations / most_rises) + 1);
  const JudgedCells cells = judge(model, batch, loss, null_value, least);
  const std::size_t n = batch.size();
  Deviance sums;
  for (std::size_t t = 0; t < n; ++t) {
    sums.loss += batch.w[t] * cells.loss[t];
    sums.null_loss += batch.w[t] * cells.null_loss[t];
    sums.best_loss += batch.w[t] * cells.best_loss[t];
  }
  std::vector<double> rises, m(n), f(n);
  for (std::size_t j = 0; j < r; ++j) {
    double mean = 1;
    for (std::size_t k = 0; k < model.modes(); ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < model.rows(k); ++i) sum += model.at(k, i, j);
      mean *= sum / static_cast<double>(model.rows(k));
    }
    for (std::size_t t = 0; t < n; ++t) {
      double own = 1;
      for (std::size_t k = 0; k < model.modes(); ++k) own *= model.at(k, batch.index[k][t], j);
      m[t] = cells.m[t] - own + mean;
      if (loss.info().lower == 0) m[t] = std::max(0.0, m[t]);
    }
    loss.values(n, batch.x.data(), m.data(), f.data());
    double flattened = 0;
    for (std::size_t t = 0; t < n; ++t) flattened += batch.w[t] * f[t];
    rises.push_back((flattened - sums.loss) / (sums.null_loss - sums.best_loss));
  }
  return rises;
}

CellSample sample_of(const Batch& batch, const std::vector<double>& expected) {
  CellSample sample;
  sample.index.resize(batch.modes());
  const std::size_t count = std::min(sample_cells, batch.size());
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t t = n * batch.size() / count;
    for (std::size_t k = 0; k < batch.modes(); ++k) sample.index[k].push_back(batch.index[k][t]);
    sample.observed.push_back(batch.x[t]);
    sample.expected.push_back(expected[t]);
  }
  return sample;
}

/// From a batch that has enough zeros where the model expects something. Slices that are not exact get their expectations from it.
void add_curves(const Tensor& tensor, const Factors& model, const Loss& loss, const Batch& batch, Diagnostics& out) {
  const std::vector<double> m = model_values(model, batch);
  std::vector<double> expected(m.size());
  expected_values(loss, m.size(), m.data(), expected.data());
  out.calibration = calibration_bins(batch, expected, calibration_groups, some_zeros_drawn(batch, tensor));
  if (loss.info().domain == Domain::binary) out.roc = roc_curve(batch, expected);
  if (const auto law = count_law(loss)) {
    out.rootogram = rootogram(batch, expected, *law);
    out.dispersion = dispersion(batch, expected, *law);
  }
  if (has_exact_slices(tensor, loss)) return;
  for (std::size_t k = 0; k < out.slices.size(); ++k) {
    for (SliceFit& slice : out.slices[k]) slice.expected = 0;
    for (std::size_t t = 0; t < batch.size(); ++t) {
      out.slices[k][batch.index[k][t]].expected += batch.w[t] * expected[t];
    }
  }
}

HeldOut judge_held_out(const Factors& model, const Records& records, const Loss& loss, double null_value,
                       LeastLoss& least) {
  Batch batch;
  batch.resize(records.modes(), records.size(), false);
  for (std::size_t t = 0; t < records.size(); ++t) {
    for (std::size_t k = 0; k < records.modes(); ++k) batch.index[k][t] = records.index(t)[k];
    batch.x[t] = records.value(t);
    batch.w[t] = records.weight(t);
  }
  const JudgedCells cells = judge(model, batch, loss, null_value, least);
  HeldOut out;
  out.cells = records.size();
  for (std::size_t t = 0; t < batch.size(); ++t) {
    out.loss += batch.w[t] * cells.loss[t];
    out.null_loss += batch.w[t] * cells.null_loss[t];
    out.best_loss += batch.w[t] * cells.best_loss[t];
  }
  if (loss.info().domain == Domain::binary) {
    if (const auto roc = roc_curve(batch, cells.expected)) out.auc = roc->auc;
  }
  return out;
}

}  // namespace

Diagnostics diagnose(const Tensor& tensor, const KTensor& given, const Loss& loss, const SampleOptions& options,
                     const Records* held_out) {
  KTensor balanced = given;
  distribute_weights(balanced);
  const Factors& model = balanced.factors;
  const auto extents = tensor.space().extents();
  if (!std::equal(extents.begin(), extents.end(), model.extents().begin(), model.extents().end())) {
    fail(ErrorKind::usage, "the model is of another shape than the data ({})", tensor.space().to_string());
  }

  Diagnostics out;
  LeastLoss least(loss);
  const Batch batch = judged_batch(tensor, options);
  const bool closed = has_exact_slices(tensor, loss);
  out.cells = batch.size();
  const bool weighted = tensor.is_sparse() ? tensor.sparse()->weighted() : tensor.dense()->weighted();
  if (!weighted) out.observed = tensor.observed();
  out.exact = closed || tensor.observed() <= every_cell;
  out.null_value = best_constant(loss, value_weights(tensor, batch, closed));
  const JudgedCells cells = judge(model, batch, loss, out.null_value, least);
  out.slices = closed ? exact_slices(*tensor.sparse(), model, loss, out.null_value, least)
                      : sampled_slices(batch, cells, model.extents());
  for (const SliceFit& slice : out.slices.front()) {
    out.loss += slice.loss;
    out.null_loss += slice.null_loss;
    out.best_loss += slice.best_loss;
  }
  out.component_rise = component_rises(model, batch, loss, out.null_value, least);
  add_curves(tensor, model, loss, with_zeros_of_model(model, batch, tensor, options.estimate_seed), out);
  out.sample = sample_of(batch, cells.expected);
  if (held_out != nullptr && held_out->size() > 0) {
    out.held_out = judge_held_out(model, *held_out, loss, out.null_value, least);
  }
  return out;
}

}  // namespace polyad
