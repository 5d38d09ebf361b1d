#include <polyad/detail/dual.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

namespace polyad {
namespace {

using Function = std::function<Dual(Dual)>;

// Central differences of fourth order: error about h^4 from the formula and 1e-16/h from rounding.
double difference(const Function& f, double m) {
  const double h = 1e-3 * std::max(1.0, std::abs(m)) * (m > 0 ? std::min(1.0, m) : 1.0);
  const auto at = [&](double step) { return f(Dual(m + step)).value; };
  return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
}

void expect_derivative(const char* name, const Function& f, std::initializer_list<double> points) {
  for (const double m : points) {
    const double slope = f(Dual(m, 1)).slope;
    EXPECT_NEAR(slope, difference(f, m), 1e-8 * std::max(1.0, std::abs(slope))) << name << " at " << m;
    // Linear in the inner derivative.
    EXPECT_NEAR(f(Dual(m, -2.5)).slope, -2.5 * slope, 1e-12 * std::max(1.0, std::abs(slope))) << name << " at " << m;
  }
}

TEST(Dual, ArithmeticAgreesWithDifferences) {
  expect_derivative("sum", [](Dual m) { return 3 + m + m - 0.5; }, {-2, 0.3, 7});
  expect_derivative("product", [](Dual m) { return m * m * m - 2 * m; }, {-2, 0.3, 7});
  expect_derivative("quotient", [](Dual m) { return (1 + m) / (m * m + 2); }, {-2, 0.3, 7});
  expect_derivative("reciprocal", [](Dual m) { return 1 / m; }, {-2, 0.3, 7});
  expect_derivative("negation", [](Dual m) { return -m * m; }, {-2, 0.3, 7});
  expect_derivative("compound",
                    [](Dual m) {
                      Dual y = m;
                      y += 2;
                      y *= m;
                      y -= 1 / m;
                      y /= m + 5;
                      return y;
                    },
                    {-2, 0.3, 7});
}

TEST(Dual, FunctionsAgreeWithDifferences) {
  expect_derivative("log", [](Dual m) { return log(m); }, {0.1, 1, 20});
  expect_derivative("log1p", [](Dual m) { return log1p(m); }, {-0.5, 0.1, 20});
  expect_derivative("exp", [](Dual m) { return exp(m); }, {-3, 0.1, 4});
  expect_derivative("expm1", [](Dual m) { return expm1(m); }, {-3, 0.1, 4});
  expect_derivative("sqrt", [](Dual m) { return sqrt(m); }, {0.1, 1, 20});
  expect_derivative("pow 2.5", [](Dual m) { return pow(m, 2.5); }, {0.1, 1, 5});
  expect_derivative("pow -1", [](Dual m) { return pow(m, -1); }, {0.5, 1, 5});
  expect_derivative("m^m", [](Dual m) { return pow(m, m); }, {0.5, 1, 3});
  expect_derivative("2^m", [](Dual m) { return pow(2.0, m); }, {-1, 0.5, 3});
  expect_derivative("abs", [](Dual m) { return abs(m) + fabs(m) * m; }, {-2, 0.5, 3});
  expect_derivative("sin", [](Dual m) { return sin(m); }, {-2, 0.5, 3});
  expect_derivative("cos", [](Dual m) { return cos(m); }, {-2, 0.5, 3});
  expect_derivative("tanh", [](Dual m) { return tanh(m); }, {-2, 0.5, 3});
  expect_derivative("chain", [](Dual m) { return log(1 + exp(2 * m)) * sqrt(m * m + 1); }, {-2, 0.5, 3});
}

TEST(Dual, ComparisonsChooseTheBranch) {
  const auto huber = [](Dual m) { return abs(m) <= 1 ? m * m : 2 * abs(m) - 1; };
  expect_derivative("huber", huber, {-3, 0.4, 0.6, 3});
  EXPECT_EQ(std::max(Dual(0), Dual(2, 1)).slope, 1);
  EXPECT_EQ(std::max(Dual(0), Dual(-2, 1)).slope, 0);
  EXPECT_TRUE(Dual(1, 5) == Dual(1, 7));
  EXPECT_TRUE(Dual(1) < 2 && Dual(3) > 2 && Dual(2) >= 2 && Dual(1) != 2);
}

// A constant has slope 0 even where the outer derivative is infinite.
TEST(Dual, ConstantsStayConstant) {
  EXPECT_EQ(sqrt(Dual(0)).slope, 0);
  EXPECT_EQ(pow(Dual(0), 0.5).slope, 0);
  EXPECT_EQ(pow(Dual(0, 1), 0.0).slope, 0);
  EXPECT_EQ(log(Dual(0)).slope, 0);
  EXPECT_EQ(exp(Dual(1000)).slope, 0);
  EXPECT_EQ(sqrt(Dual(0, 1)).slope, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace polyad
