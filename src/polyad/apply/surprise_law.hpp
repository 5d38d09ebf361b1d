#pragma once
// The law by which data are judged: that of the loss (loss/likelihood.hpp), with a dispersion of the data.
//
// Counts mostly scatter more than a poisson law allows, and then its probabilities would call everything surprising. With a
// dispersion phi above 1 the law is the negative binomial one of the same mean and of variance phi times the mean; it stays in the
// family when cells are summed, as poisson does. gaussian has its standard deviation and gamma its shape instead (`scale`).
//
//   residual   the signed square root of the deviance, -2 log(likelihood / its greatest value over all means)
//
// Totals of cells have the law that means and variances of the cells add up to: exact for poisson, with dispersion too, and for
// gaussian; by two moments for the others (loss/tails.hpp).

#include <polyad/kernel/batch.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/likelihood.hpp>
#include <polyad/loss/tails.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace polyad {

/// A sum of cells.
struct CellTotal {
  double cells = 0;
  double observed = 0;
  double mean = 0;
  double variance = 0;
};

class SurpriseLaw {
 public:
  /// A usage error where the loss has no likelihood. `scale` is needed where the law has one; `dispersion` is at least 1.
  SurpriseLaw(const Loss& loss, std::optional<double> scale, double dispersion);

  Law law() const { return law_; }
  bool discrete() const { return likelihood_.discrete(); }
  std::optional<double> scale() const { return scale_; }
  double dispersion() const { return dispersion_; }

  Tail cell(double mean, double x) const;
  double variance(double mean) const;
  double residual(double mean, double x) const;
  std::pair<double, double> interval(double mean, double level) const;

  Tail total(const CellTotal& total) const;
  std::pair<double, double> total_interval(const CellTotal& total, double level) const;

  /// The logarithm of p of an unlisted zero falls with the mean (normal: with its magnitude); this is its mean at `log_p`.
  double mean_of_zero(double log_p) const;

 private:
  Law law_;
  std::optional<double> scale_;
  double dispersion_;
  double size_ = 0;  // r of the negative binomial loss
  Likelihood likelihood_;
};

/// Whether counts may have a dispersion besides their law.
bool has_dispersion(const LossInfo& info);

/// What the data say of the law. Cells that are improbable beyond all doubt (p < 1e-6) are left out, so that the anomalies that are
/// looked for do not hide themselves.
struct Scatter {
  std::optional<double> scale;
  double dispersion = 1;
};
Scatter scatter_of(const Loss& loss, const Batch& batch, const std::vector<double>& mean);

}  // namespace polyad
