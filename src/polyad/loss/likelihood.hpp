#pragma once
// What a model says about data, for losses that are the likelihood of a law (LossInfo::law): how probable a value is, how
// probable one as large or as small, and between which values most data lie. One place for intervals of predictions and for
// tests of surprising cells.
//
//   law                     of x, given m                             scale
//   normal                  mean m, standard deviation s              s
//   poisson                 mean m, or e^m (poisson-log)
//   negative_binomial       r failures, odds m: mean r m
//   zero_truncated_poisson  poisson(m), given x >= 1
//   bernoulli               p = m / (1 + m), or 1 / (1 + e^-m) (logit)
//   gamma                   mean m, shape k                           k
//   rayleigh                mean m
//
// The mean of x as a function of m is that of the loss (`expected_values`), so that a new link needs no new law. The scale
// belongs to the data and not to the model: `fitted_scale` finds it from the loss per cell.
// Counts are summed term by term up to a mean of 200: some ten nanoseconds per term; all else is Boost.Math.

#include <polyad/loss.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace polyad {

/// Whether the law has a scale that must be known for its intervals.
bool has_scale(const LossInfo& info);

/// The mean of x for each m: that of the law, or where there is none the x that m fits best.
void mean_values(const Loss& loss, std::size_t n, const double* m, double* out);

/// The scale of greatest likelihood, from the model's mean loss per cell and that of a model equal to the data. Unset where the
/// law has none, or the figures say nothing (no cells, no deviance).
///   normal  s^2 = loss per cell        gamma  log k - digamma(k) = (loss - best loss) per cell
std::optional<double> fitted_scale(const LossInfo& info, double loss_per_cell, double best_loss_per_cell);

/// The m of a zero-truncated law whose mean m / (1 - e^-m) this is; 0 where that is 1 or less.
double untruncated_rate(double mean);

class Likelihood {
 public:
  /// Unset where the loss has no law, or it has a scale and none is given.
  static std::optional<Likelihood> of(const Loss& loss, std::optional<double> scale);

  bool discrete() const;
  Law law() const { return law_; }

  // All of them for the mean of x that `mean_values` gives.
  double probability(double mean, double x) const;  ///< of x, where discrete; otherwise its density
  double at_most(double mean, double x) const;      ///< P(X <= x)
  double at_least(double mean, double x) const;     ///< P(X >= x), accurate where it is tiny
  /// The values that a share `level` of all data lie between: (1 - level) / 2 at most lie below, and as many above.
  std::pair<double, double> interval(double mean, double level) const;

 private:
  Likelihood(Law law, double parameter) : law_(law), parameter_(parameter) {}
  double quantile(double mean, double p) const;

  Law law_;
  double parameter_;  // r, standard deviation or shape
};

}  // namespace polyad
