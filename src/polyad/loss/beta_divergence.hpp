#pragma once
// The beta-divergence: a family that has gamma at beta = 0, poisson at 1 and half of gaussian at 2. The
// smaller beta, the more weight small values have. With u = m + eps, up to what no model can change:
//
//   f = u^beta / beta - x u^(beta-1) / (beta-1),   df/dm = u^(beta-2) (u - x),   least at m = x
//
// beta = 0 and 1 are poles of f only: f is infinite there by a constant, its differences and its derivative
// are not. So at the poles f is that of gamma and of poisson, and within `near_pole` of one its infinite
// constant is left out: u^c / c becomes (u^c - 1) / c, which goes to log u as c goes to 0. beta = 1/2, the
// most used, is 2 sqrt(u) + 2 x / sqrt(u).
//
// Data: x = 0 needs f(0, m) = u^beta / beta to be bounded below as m goes to 0, which is so for beta > 0
// only. Reference: Cichocki and Amari, Families of alpha- beta- and gamma-divergences, Entropy 12 (2010).

#include <polyad/loss.hpp>
#include <polyad/loss/gamma.hpp>
#include <polyad/loss/poisson.hpp>

namespace polyad {

struct BetaDivergence {
  double beta = 0.5;

  /// Closer than this the constant 1/c would cost more than two digits of f.
  static constexpr double near_pole = 0.01;

  static constexpr bool in_lanes = true;
  static constexpr LossInfo info = {
      .name = "beta-divergence",
      .formula = "m^beta / beta - x m^(beta-1) / (beta-1)",
      .data = "nonnegative numbers; between gamma (beta 0), poisson (1) and gaussian (2)",
      .link = "m is the expected value",
      .lower = 0,
      .domain = Domain::nonnegative,
      .units = {.degree = 0.5},
  };

  static constexpr std::array<LossParameter<BetaDivergence>, 1> parameters() {
    return {{{.name = "beta",
              .member = &BetaDivergence::beta,
              .help = "the smaller, the more small values count; 0 is gamma, 1 poisson, 2 gaussian"}}};
  }

  LossInfo instance_info() const {
    LossInfo facts = info;
    if (beta <= 0) facts.domain = Domain::positive;
    facts.units.degree = beta;
    facts.convex = beta >= 1 && beta <= 2;
    if (std::abs(beta) < near_pole) facts.units.per_cell = 1;
    if (std::abs(beta - 1) < near_pole) facts.units.per_value = -1;
    if (beta == 0) facts.law = Gamma::info.law;
    if (beta == 1) {
      facts.zero_sum = Poisson::info.zero_sum;
      facts.zero_slope = Poisson::info.zero_slope;
      facts.law = Poisson::info.law;
    }
    return facts;
  }

  template <class T>
  T value(T x, T m) const {
    using std::pow;
    using std::sqrt;
    if (beta == 0) return Gamma{}.value(x, m);
    if (beta == 1) return Poisson{}.value(x, m);
    const T u = m + loss_epsilon;
    if (beta == 0.5) {
      const T root = sqrt(u);
      return 2.0 * root + 2.0 * x / root;
    }
    if (std::abs(beta) < near_pole || std::abs(beta - 1) < near_pole) {
      return power_term(u, beta) - x * power_term(u, beta - 1);
    }
    return pow(u, beta - 1) * (u - x * (beta / (beta - 1))) / beta;
  }

  template <class T>
  T deriv(T x, T m) const {
    using std::pow;
    using std::sqrt;
    if (beta == 0) return Gamma{}.deriv(x, m);
    if (beta == 1) return Poisson{}.deriv(x, m);
    const T u = m + loss_epsilon;
    if (beta == 0.5) return (u - x) / (u * sqrt(u));
    return (u - x) * pow(u, beta - 2);
  }

 private:
  // u^c / c, without its infinite constant where c is near 0.
  template <class T>
  static T power_term(T u, double c) {
    using std::expm1;
    using std::log;
    using std::pow;
    if (std::abs(c) < near_pole) return expm1(c * log(u)) / c;
    return pow(u, c) / c;
  }
};

}  // namespace polyad
