#include "oracle.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <initializer_list>
#include <stdexcept>

namespace polyad::testing {

namespace {

// Without expression templates, which would double the time to compile.
using Exact = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;

struct Sum {
  Exact sum = 0;
  Exact largest = 0;
  Sum(std::initializer_list<Exact> terms) {
    for (const Exact& term : terms) {
      sum += term;
      if (abs(term) > largest) largest = abs(term);
    }
  }
  ExactSum rounded() const { return {sum.convert_to<double>(), largest.convert_to<double>()}; }
};

struct Terms {
  Sum f, df;
};

Terms terms_of(std::string_view name, double parameter, double x_in, double m_in) {
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
    const Exact power = pow(u, p);
    return {{power / p, -x * power / u / (p - 1)}, {power / u, -x * power / (u * u)}};
  }
  if (name == "zero-truncated-poisson") {
    return {{m, -x * log(u), log(1 - exp(-m) + eps)}, {1, -x / u, 1 / (exp(m) - 1 + eps)}};
  }
  throw std::invalid_argument("this loss has no formula in tests/loss/oracle.cpp: add it");
}

}  // namespace

ExactLoss exact_loss(std::string_view name, double parameter, double x, double m) {
  const Terms terms = terms_of(name, parameter, x, m);
  return {terms.f.rounded(), terms.df.rounded()};
}

ExactLoss exact_loss(const Loss& loss, double x, double m) {
  return exact_loss(loss.name(), loss.parameters().empty() ? 0.0 : loss.parameters()[0].second, x, m);
}

double exact_rise(std::string_view name, double parameter, double x, double from, double m) {
  const Exact rise = terms_of(name, parameter, x, m).f.sum - terms_of(name, parameter, x, from).f.sum;
  return rise.convert_to<double>();
}

}  // namespace polyad::testing
