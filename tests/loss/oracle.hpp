#pragma once
// The losses once more, straight from their formulas, in 50 digits: the judge where double precision is in doubt.

#include <polyad/loss.hpp>

#include <string_view>

namespace polyad::testing {

/// A sum, rounded once, and its largest term: what a plain evaluation in double precision loses is in proportion to that.
struct ExactSum {
  double value;
  double scale;
};

struct ExactLoss {
  ExactSum f, df;
};

/// `parameter` is ignored by losses without one. Not for beta-divergence at its poles.
ExactLoss exact_loss(std::string_view name, double parameter, double x, double m);
ExactLoss exact_loss(const Loss& loss, double x, double m);

/// f(x, m) - f(x, from), rounded once.
double exact_rise(std::string_view name, double parameter, double x, double from, double m);

}  // namespace polyad::testing
