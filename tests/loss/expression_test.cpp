// Losses from formulas against the built-in ones, finite differences and a table of what cannot be read.

#include <polyad/base/error.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/loss/expression.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace polyad {
namespace {

struct Pair {
  std::string built_in;
  std::string formula;
};

class SameAsBuiltIn : public ::testing::TestWithParam<Pair> {};

TEST_P(SameAsBuiltIn, ValueDerivativeAndFacts) {
  const Loss expected = parse_loss(GetParam().built_in);
  const Loss found = parse_loss("expr:" + GetParam().formula);
  EXPECT_EQ(found.info().lower, expected.info().lower);
  EXPECT_EQ(found.info().zero_sum, expected.info().zero_sum);
  std::vector<double> x;
  std::vector<double> m;
  for (const double a : {0.0, 1.0, 2.0, 5.0}) {
    for (int i = 0; i < 25; ++i) {
      if (!contains(expected.info().domain, a)) continue;
      x.push_back(a);
      m.push_back((expected.info().lower == 0 ? 0.0 : -2.0) + 0.17 * i);
    }
  }
  const std::size_t n = x.size();
  std::vector<double> values(n);
  std::vector<double> slopes(n);
  found.values(n, x.data(), m.data(), values.data());
  found.derivatives(n, x.data(), m.data(), slopes.data());
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(values[i], expected.value(x[i], m[i]), 1e-12 * (1 + std::abs(values[i]))) << x[i] << " " << m[i];
    EXPECT_NEAR(slopes[i], expected.derivative(x[i], m[i]), 1e-11 * (1 + std::abs(slopes[i]))) << x[i] << " " << m[i];
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SameAsBuiltIn,
    ::testing::Values(Pair{"gaussian", "(x - m) ** 2"}, Pair{"poisson", "m - x*log(m); lower=0; domain=nonnegative"},
                      Pair{"poisson-log", "exp(m) - x*m; domain=count"},
                      Pair{"bernoulli-odds", "log(1 + m) - x * log(m); lower=0; domain=binary"},
                      Pair{"bernoulli-logit", "(m > 0 ? m + log1p(exp(-m)) : log1p(exp(m))) - x*m; domain=binary"},
                      Pair{"gamma", "x/m + log(m); lower=0; domain=positive"},
                      Pair{"huber:delta=0.5", "abs(x-m) < 0.5 ? pow(x-m, 2) : 0.5*(2*fabs(x-m) - 0.5)"}));

TEST(ExpressionTest, DerivativesAgreeWithDifferences) {
  for (const std::string text :
       {"sin(m)*cos(x) + tanh(m*x)", "sqrt(m*m + 1) - x*m", "pow(m*m + 1, 1.5 + 0.1*x)", "m**3 - 2**m",
        "expm1(m)/(1+m*m)", "max(m, x)*min(m*m, 2)", "-m**2 + +x", "(m >= x && m < 2 || !(x > 0)) ? m*m : 3*m",
        "log1p(m*m) + abs(m - x)", "m/(1 + x*x)/2 - -m", "m * (x == 1) + (x != 1) * m * m", "pi*m*m"}) {
    const Loss loss = formula_loss(text);
    for (const double x : {0.0, 1.0, 2.5}) {
      for (const double m : {-1.3, 0.4, 1.9}) {
        const double step = 1e-6;
        const double expected = (loss.value(x, m + step) - loss.value(x, m - step)) / (2 * step);
        EXPECT_NEAR(loss.derivative(x, m), expected, 1e-6 * (1 + std::abs(expected))) << text << " " << x << " " << m;
      }
    }
  }
}

TEST(ExpressionTest, ReadsAsInC) {
  const std::vector<std::pair<std::string, double>> cases = {{"0*m + 2 + 3*4", 14},
                                                             {"0*m + (2 + 3)*4", 20},
                                                             {"0*m + 7/2/2", 1.75},
                                                             {"0*m - 2**2", -4},
                                                             {"0*m + 2**3**2", 512},
                                                             {"0*m + 2**-1", 0.5},
                                                             {"0*m + (1 < 2)", 1},
                                                             {"0*m + (2 <= 1)", 0},
                                                             {"0*m + 1e3", 1000},
                                                             {"0*m + .5", 0.5},
                                                             {"0*m + (1 ? 2 : 0 ? 3 : 4)", 2},
                                                             {"0*m + (1 - 2 - 3)", -4},
                                                             {"0*m + !3", 0},
                                                             {"0*m + (0 || 5)", 1},
                                                             {"0*m + (2 && 0)", 0},
                                                             {"0*m+min(3,2)*max(5,7)", 14}};
  for (const auto& [text, expected] : cases) {
    Formula formula;
    const Formula::Node node = parse_formula(text, formula);
    double out = 0;
    const double at = 0.7;
    FormulaProgram(formula, node).run(1, &at, &at, &out);
    EXPECT_EQ(out, expected) << text;
  }
}

TEST(ExpressionTest, SpecGivesTheSameLossAgain) {
  const Loss loss = formula_loss("m - x * log(m)", 0, Domain::count);
  EXPECT_EQ(loss.spec(), "expr:m - x * log(m); lower=0; domain=count");
  const Loss again = parse_loss(loss.spec());
  EXPECT_EQ(again.spec(), loss.spec());
  EXPECT_EQ(again.info().domain, Domain::count);
  EXPECT_EQ(again.info().zero_slope, 1);
  EXPECT_EQ(again.value(3, 0.3), loss.value(3, 0.3));
}

TEST(ExpressionTest, EveryBlockLengthGivesTheSameNumbers) {
  const Loss loss = formula_loss("exp(m) - x*m + log(1 + m*m)");
  std::vector<double> x(100);
  std::vector<double> m(100);
  for (std::size_t i = 0; i < 100; ++i) {
    x[i] = static_cast<double>(i % 5);
    m[i] = 0.03 * static_cast<double>(i) - 1;
  }
  std::vector<double> whole(100);
  loss.values(100, x.data(), m.data(), whole.data());
  for (std::size_t n = 1; n < 100; ++n) {
    std::vector<double> part(n);
    loss.values(n, x.data(), m.data(), part.data());
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(part[i], whole[i]) << n << " " << i;
  }
  std::vector<float> single_x(x.begin(), x.end());
  std::vector<float> single_m(m.begin(), m.end());
  std::vector<float> single(100);
  loss.values(100, single_x.data(), single_m.data(), single.data());
  for (std::size_t i = 0; i < 100; ++i) EXPECT_NEAR(single[i], whole[i], 1e-5);
}

TEST(ExpressionTest, BadFormulasShowTheColumn) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"m - x*lgo(m)", "column 7: 'lgo' is not known (did you mean 'log'?)"},
      {"m +", "column 4: the formula ends"},
      {"(m - x", "column 7: ')' was expected"},
      {"m ^ 2", "column 3: here an operator or the end was expected"},
      {"m * ^ 2", "column 5: '^' is no power"},
      {"m x", "column 3: here an operator"},
      {"pow(m)", "column 6: pow takes two arguments"},
      {"log(m, x)", "column 6: log takes one argument"},
      {"log m", "column 5: '(' was expected after log"},
      {"m ? x", "column 6: ':' was expected"},
      {"m - $", "column 5: '$' cannot stand here"},
      {"x + 1", "does not depend on m"},
      {"", "needs a formula"},
      {"m; lower=a", "'a' is not a number"},
      {"m; domain=cuont", "did you mean 'count'?"},
      {"m; upper=1", "neither lower=NUMBER nor domain=WORD"},
  };
  for (const auto& [text, words] : cases) {
    try {
      (void)parse_loss("expr:" + text);
      ADD_FAILURE() << text << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_THAT(error.what(), ::testing::HasSubstr(words)) << text;
    }
  }
}

TEST(ExpressionTest, LongAndDeepFormulasEndInAnError) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "(";
  EXPECT_THROW((void)formula_loss(deep), Error);
  std::string choices = "m";
  for (int i = 0; i < 5000; ++i) choices += "?m:m";
  EXPECT_THROW((void)formula_loss(choices), Error);
  std::string sum = "m";
  for (int i = 0; i < 1000; ++i) sum += "+sin(m*" + std::to_string(i + 2) + ")";
  EXPECT_THROW((void)formula_loss(sum), Error);
  std::string squares = "m";
  for (int i = 0; i < 60; ++i) squares = "(" + squares + ")**2";
  EXPECT_NO_THROW((void)formula_loss(squares));
}

}  // namespace
}  // namespace polyad
