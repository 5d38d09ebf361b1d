#pragma once
// The losses once more, straight from their formulas, in 50 digits: the judge where double precision is in
// doubt.

#include <polyad/loss/block.hpp>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <initializer_list>
#include <stdexcept>
#include <string_view>

namespace polyad::testing {

using Exact = boost::multiprecision::cpp_bin_float_50;

/// A sum and its largest term: what a plain evaluation in double precision loses is in proportion to the
/// latter.
struct ExactSum {
  Exact sum = 0;
  Exact largest = 0;
  ExactSum(std::initializer_list<Exact> terms) {
    for (const Exact& term : terms) {
      sum += term;
      if (abs(term) > largest) largest = abs(term);
    }
  }
  double value() const { return sum.convert_to<double>(); }
  double scale() const { return largest.convert_to<double>(); }
};

struct ExactLoss {
  ExactSum f, df;
};

/// `parameter` is ignored by losses without one.
inline ExactLoss exact_loss(std::string_view name, double parameter, double x_in, double m_in) {
  const Exact x = x_in, m = m_in, p = parameter;
  const Exact eps = loss_epsilon, u = m + eps, pi = acos(Exact(-1));
  if (name == "gaussian") return {{(x - m) * (x - m)}, {2 * m, -2 * x}};
  if (name == "poisson") return {{m, -x * log(u)}, {1, -x / u}};
  if (name == "poisson-log") return {{exp(m), -x * m}, {exp(m), -x}};
  if (name == "bernoulli-odds") return {{log(1 + m), -x * log(u)}, {1 / (1 + m), -x / u}};
  if (name == "bernoulli-logit") return {{log(1 + exp(m)), -x * m}, {1 / (1 + exp(-m)), -x}};
  if (name == "gamma") return {{x / u, log(u)}, {1 / u, -x / (u * u)}};
  if (name == "rayleigh") {
    return {{2 * log(u), pi / 4 * x * x / (u * u)}, {2 / u, -pi / 2 * x * x / (u * u * u)}};
  }
  if (name == "negative-binomial") {
    return {{(p + x) * log(1 + m), -x * log(u)}, {(p + x) / (1 + m), -x / u}};
  }
  if (name == "huber") {
    const Exact d = abs(x - m);
    if (d < p) return {{d * d}, {2 * m, -2 * x}};
    return {{2 * p * d, -p * p}, {m > x ? 2 * p : -2 * p}};
  }
  if (name == "beta-divergence") {
    return {{pow(u, p) / p, -x * pow(u, p - 1) / (p - 1)}, {pow(u, p - 1), -x * pow(u, p - 2)}};
  }
  if (name == "zero-truncated-poisson") {
    return {{m, -x * log(u), log(1 - exp(-m) + eps)}, {1, -x / u, 1 / (exp(m) - 1 + eps)}};
  }
  throw std::invalid_argument("no exact form of this loss in tests/loss/oracle.hpp");
}

inline ExactLoss exact_loss(const Loss& loss, double x, double m) {
  return exact_loss(loss.name(), loss.parameters().empty() ? 0.0 : loss.parameters()[0].second, x, m);
}

}  // namespace polyad::testing
