#include <polyad/fit/held_out_loss.hpp>

#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/kernel/batch_objective.hpp>
#include <polyad/loss/best_value.hpp>
#include <polyad/model.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace polyad {

std::vector<double> cell_losses(const Factors& model, const Records& cells, const Loss& loss, std::size_t threads) {
  constexpr std::size_t chunk = 1 << 14;
  std::vector<double> losses(cells.size());
  parallel_tasks((cells.size() + chunk - 1) / chunk, threads, [&](std::size_t c) {
    const std::size_t first = c * chunk;
    const std::size_t count = std::min(chunk, cells.size() - first);
    Batch batch;
    batch.resize(cells.modes(), count, false);
    for (std::size_t t = 0; t < count; ++t) {
      for (std::size_t k = 0; k < cells.modes(); ++k) batch.index[k][t] = cells.index(first + t)[k];
      batch.x[t] = cells.value(first + t);
      batch.w[t] = 1;
    }
    const std::vector<double> m = model_values(model, batch);
    loss.values(count, batch.x.data(), m.data(), losses.data() + first);
  });
  return losses;
}

std::optional<double> HeldOutSums::explained() const {
  if (!(null_loss > best_loss)) return std::nullopt;
  return 1 - (loss - best_loss) / (null_loss - best_loss);
}

HeldOutSums held_out_sums(const KTensor& model, const Records& cells, const Loss& loss, double null_value,
                          std::size_t threads) {
  KTensor balanced = model;
  distribute_weights(balanced);
  const std::vector<double> losses = cell_losses(balanced.factors, cells, loss, threads);
  LeastLoss least(loss);
  CompensatedSum own, null, best;
  for (std::size_t t = 0; t < cells.size(); ++t) {
    const double x = cells.value(t), w = cells.weight(t);
    own.add(w * losses[t]);
    null.add(w * loss.value(x, null_value));
    best.add(w * least(x));
  }
  return {own.value(), null.value(), best.value()};
}

namespace {

// n times the variance of the mean of the terms from..to: the variance of their sum.
double variance_of_sum(const std::vector<double>& terms, std::size_t from, std::size_t to) {
  const auto n = static_cast<double>(to - from);
  if (to - from < 2) return 0;
  double mean = 0, squares = 0;
  for (std::size_t t = from; t < to; ++t) mean += terms[t] / n;
  for (std::size_t t = from; t < to; ++t) squares += (terms[t] - mean) * (terms[t] - mean);
  return n * squares / (n - 1);
}

}  // namespace

HeldOutMean held_out_mean(const HeldOutSplit& split, const std::vector<double>& values) {
  std::vector<double> terms(values.size());
  CompensatedSum sum;
  for (std::size_t t = 0; t < values.size(); ++t) sum.add(terms[t] = split.cells.weight(t) * values[t]);
  if (split.units.empty()) {
    const double variance =
        variance_of_sum(terms, 0, split.first_stratum) + variance_of_sum(terms, split.first_stratum, terms.size());
    return {sum.value(), std::sqrt(variance)};
  }
  // Runs in the order in which they first appear, so that sums do not depend on a hash table.
  std::unordered_map<std::uint64_t, std::size_t> place;
  std::vector<double> runs;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const auto [at, is_new] = place.try_emplace(split.units[t], runs.size());
    if (is_new) runs.push_back(0);
    runs[at->second] += terms[t];
  }
  return {sum.value(), std::sqrt(variance_of_sum(runs, 0, runs.size()))};
}

}  // namespace polyad
