#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/base/simd_target.hpp>

#include <polyad/optim/optimizer.hpp>

#include "each_simd_target.hpp"
#include "special_values.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace polyad {
namespace {

bool has_forms(OptimizerKind kind) {
  return kind == OptimizerKind::adam || kind == OptimizerKind::amsgrad;
}

std::string name_of(const OptimizerOptions& o) {
  return has_forms(o.kind) ? fmt::format("{}_{}", word_of(o.kind), word_of(o.form)) : text_of(o.kind);
}

/// Every rule in every form.
std::vector<OptimizerOptions> all_rules() {
  std::vector<OptimizerOptions> rules;
  for (std::size_t kind = 0; kind < words_of(OptimizerKind{}).size(); ++kind) {
    for (const auto form : {AdamForm::paper, AdamForm::usual}) {
      OptimizerOptions o;
      o.kind = static_cast<OptimizerKind>(kind);
      o.form = form;
      if (form == AdamForm::paper || has_forms(o.kind)) rules.push_back(o);
    }
  }
  return rules;
}

/// The separable quadratic sum_i c_i/2 (a_i - b_i)^2 with curvatures over two orders of magnitude.
struct Quadratic {
  std::vector<double> curvature = {0.1, 1, 10, 0.3, 3, 5, 0.7, 2, 1, 4, 0.2};
  std::vector<double> minimum = {1, -2, 0.5, 3, -1, 0, 2, -3, 0.1, 1.5, -0.4};

  std::vector<double> gradient(std::span<const double> a) const {
    std::vector<double> g(a.size());
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = curvature[i] * (a[i] - minimum[i]);
    return g;
  }
};

/// The rule for one parameter in long double, written as recurrences over the whole history of gradients:
/// nothing is remembered but the list of gradients, and moments are explicit weighted sums.
long double step_by_history(const OptimizerOptions& o, const std::vector<long double>& g, long double rate) {
  const std::size_t t = g.size();
  const auto weighted = [&](long double beta, auto term, std::size_t upto) {
    long double sum = 0;
    for (std::size_t s = 0; s < upto; ++s) {
      sum += std::pow(beta, static_cast<long double>(upto - 1 - s)) * term(g[s]);
    }
    return sum;
  };
  const auto self = [](long double v) { return v; };
  const auto square = [](long double v) { return v * v; };
  if (o.kind == OptimizerKind::sgd) return rate * weighted(o.momentum, self, t);
  if (o.kind == OptimizerKind::adagrad)
    return rate * g.back() / (std::sqrt(weighted(1, square, t)) + o.epsilon.value_or(paper_epsilon));

  const long double b1 = o.beta1;
  const long double b2 = o.beta2.value_or(paper_beta2);
  const long double mean = (1 - b1) * weighted(b1, self, t) / (1 - std::pow(b1, static_cast<long double>(t)));
  long double second = (1 - b2) * weighted(b2, square, t);
  if (o.kind == OptimizerKind::amsgrad) {
    for (std::size_t s = 1; s < t; ++s) second = std::max(second, (1 - b2) * weighted(b2, square, s));
  }
  second /= 1 - std::pow(b2, static_cast<long double>(t));
  const long double root = o.form == AdamForm::paper ? std::sqrt(second + o.epsilon.value_or(paper_epsilon))
                                                     : std::sqrt(second) + o.epsilon.value_or(paper_epsilon);
  return rate * mean / root;
}

struct Setting {
  OptimizerOptions options;
  SimdTarget target;
};

/// Every rule on every instruction set.
std::vector<Setting> all_settings() {
  std::vector<Setting> settings;
  for (const SimdTarget target : supported_simd_targets()) {
    for (const OptimizerOptions& options : all_rules()) settings.push_back({options, target});
  }
  return settings;
}

class EveryRule : public ::testing::TestWithParam<Setting> {
 protected:
  static const OptimizerOptions& options() { return GetParam().options; }

 private:
  testing::WithSimdTarget target_{GetParam().target};
};

TEST_P(EveryRule, FollowsItsTraceOnAQuadratic) {
  OptimizerOptions o = options();
  o.beta1 = 0.8;  // fast enough for moments to rise and fall within the trace
  o.beta2 = 0.9;
  o.epsilon = 1e-3;  // large enough for its place to matter
  const auto rule = make_optimizer(o);
  const Quadratic problem;
  const std::size_t n = problem.minimum.size();
  std::vector<double> a(n, 0.25);
  std::vector<long double> expected(a.begin(), a.end());
  std::vector<std::vector<long double>> history(n);
  const std::vector<Segment> segments = {{.begin = 0, .size = n, .lower = -1.0, .upper = 1.25}};
  Moments moments = rule->start(n);
  for (int t = 0; t < 50; ++t) {
    const double rate = 0.05 / (1 + t % 3);
    for (std::size_t i = 0; i < n; ++i) {
      history[i].push_back(static_cast<long double>(problem.curvature[i]) * (expected[i] - problem.minimum[i]));
      const long double moved = expected[i] - step_by_history(o, history[i], rate);
      expected[i] = std::min<long double>(1.25, std::max<long double>(-1, moved));
    }
    rule->step(a, problem.gradient(a), moments, rate, segments);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_NEAR(a[i], static_cast<double>(expected[i]), 1e-13) << "step " << t << " parameter " << i;
    }
  }
  EXPECT_EQ(moments.steps, 50u);
}

TEST_P(EveryRule, ConvergesOnAConvexProblemWithActiveBounds) {
  const auto rule = make_optimizer(options());
  const Quadratic problem;
  const std::size_t n = problem.minimum.size();
  std::vector<double> a(n, 0.5);
  // Two segments with bounds of their own, the last parameter fixed away from its minimum.
  const std::vector<Segment> segments = {{.begin = 0, .size = 5, .lower = 0.0},
                                         {.begin = 5, .size = 5, .lower = -1.0, .upper = 1.0},
                                         {.begin = 10, .size = 1, .lower = 0.7, .fixed = true}};
  const bool adaptive = options().kind != OptimizerKind::sgd;
  const double first = options().kind == OptimizerKind::adagrad ? 1.0 : adaptive ? 0.1 : 0.01;
  const int steps = 6000;
  Moments moments = rule->start(n);
  for (int t = 0; t < steps; ++t) {
    const double rate = adaptive ? first * (1 + std::cos(3.14159265 * t / steps)) / 2 : first;
    rule->step(a, problem.gradient(a), moments, rate, segments);
  }
  for (std::size_t i = 0; i < 10; ++i) {
    const Segment& s = segments[i / 5];
    const double best = std::min(s.upper, std::max(s.lower, problem.minimum[i]));
    EXPECT_NEAR(a[i], best, 1e-4) << "parameter " << i;
    EXPECT_GE(a[i], s.lower);
    EXPECT_LE(a[i], s.upper);
  }
  EXPECT_EQ(a[10], 0.5);
}

TEST_P(EveryRule, LeavesFixedSegmentsAndGapsAloneMomentsIncluded) {
  const auto rule = make_optimizer(options());
  std::vector<double> a = {1, 2, 3, 4, 5, 6};
  const std::vector<double> g = {1, 1, nan, 1, 1, 1};
  const std::vector<Segment> segments = {
      {.begin = 0, .size = 2}, {.begin = 2, .size = 2, .lower = 10.0, .fixed = true}, {.begin = 5, .size = 1}};
  Moments moments = rule->start(6);
  const Moments zero = moments;
  rule->step(a, g, moments, 0.1, segments);
  rule->step(a, g, moments, 0.1, segments);
  EXPECT_LT(a[0], 1);
  EXPECT_LT(a[5], 6);
  EXPECT_EQ(a[2], 3);
  EXPECT_EQ(a[3], 4);
  EXPECT_EQ(a[4], 5);
  for (const auto member : {&Moments::first, &Moments::second, &Moments::peak}) {
    for (std::size_t i : {2u, 3u, 4u}) {
      if ((zero.*member).empty()) continue;
      EXPECT_EQ((moments.*member)[i], 0.0);
    }
  }
}

TEST_P(EveryRule, NanAndInfinityAreNotHiddenByBounds) {
  const auto rule = make_optimizer(options());
  for (const double bad : {nan, infinity, -infinity}) {
    std::vector<double> a(9, 0.5);
    std::vector<double> g(9, 0.1);
    g[1] = bad;  // in a vectorised stretch, and in its tail
    g[8] = bad;
    const std::vector<Segment> segments = {{.begin = 0, .size = 9, .lower = 0.0, .upper = 1.0}};
    Moments moments = rule->start(9);
    rule->step(a, g, moments, 0.1, segments);
    for (std::size_t i = 0; i < 9; ++i) {
      if (i == 1 || i == 8) continue;
      EXPECT_TRUE(std::isfinite(a[i]));
    }
    // Plain steps by an infinite gradient end on the bound; whatever divides infinities gives NaN. Then and
    // later.
    if (std::isnan(bad) || options().kind != OptimizerKind::sgd) {
      EXPECT_TRUE(std::isnan(a[1]));
      EXPECT_TRUE(std::isnan(a[8]));
    }
    g[1] = g[8] = 0.1;
    rule->step(a, g, moments, 0.1, segments);
    if (std::isnan(bad) || options().kind != OptimizerKind::sgd) {
      EXPECT_TRUE(std::isnan(a[1]));
    }
  }
}

TEST_P(EveryRule, IsAPureFunctionOfItsArguments) {
  const auto rule = make_optimizer(options());
  const Quadratic problem;
  const std::size_t n = problem.minimum.size();
  const std::vector<Segment> segments = {{.begin = 0, .size = n, .lower = 0.0}};
  const auto advance = [&](std::vector<double>& a, Moments& m, int steps) {
    for (int t = 0; t < steps; ++t) rule->step(a, problem.gradient(a), m, 0.02, segments);
  };
  std::vector<double> a(n, 0.3);
  Moments moments = rule->start(n);
  advance(a, moments, 7);
  const std::vector<double> saved = a;
  const Moments saved_moments = moments;
  advance(a, moments, 5);
  std::vector<double> b = saved;
  Moments again = saved_moments;
  advance(b, again, 5);
  EXPECT_EQ(a, b);
  EXPECT_EQ(moments, again);
}

TEST_P(EveryRule, ZeroGradientLeavesZeroPaddingZero) {
  const auto rule = make_optimizer(options());
  std::vector<double> a(8, 0.0);
  const std::vector<double> g(8, 0.0);
  const std::vector<Segment> segments = {{.begin = 0, .size = 8, .lower = 0.0}};
  Moments moments = rule->start(8);
  for (int t = 0; t < 3; ++t) rule->step(a, g, moments, 0.1, segments);
  EXPECT_THAT(a, ::testing::Each(0.0));
}

TEST_P(EveryRule, RefusesSpansThatDoNotFit) {
  const auto rule = make_optimizer(options());
  std::vector<double> a(4);
  const std::vector<double> g(4);
  const std::vector<Segment> whole = {{.begin = 0, .size = 4}};
  Moments moments = rule->start(4);
  const auto message = [&](std::span<const double> gradient, Moments m, std::span<const Segment> segments) {
    try {
      rule->step(a, gradient, m, 0.1, segments);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(message(g, moments, whole), "none");
  EXPECT_EQ(message(std::span(g).first(3), moments, whole), "optimizer step: 4 parameters but a gradient of 3");
  EXPECT_EQ(message(g, rule->start(5), whole),
            "optimizer step: 4 parameters but moments for 5: make them with start(4)");
  const std::vector<Segment> beyond = {{.begin = 2, .size = 3}};
  EXPECT_EQ(message(g, moments, beyond), "optimizer step: segment of 3 from 2 is beyond the 4 parameters");
}

// Over the whole range of squares, from those that epsilon hides to those near overflow.
TEST_P(EveryRule, FirstStepIsAccurateForGradientsOfAnySize) {
  const auto rule = make_optimizer(options());
  for (double size = 1e-12; size < 1e120; size *= 7.3) {
    const std::vector<double> g = {size, -size * 1.7, size * 0.3, size, size};
    std::vector<double> a(g.size(), 0.0);
    Moments moments = rule->start(g.size());
    const std::vector<Segment> segments = {{.begin = 0, .size = g.size()}};
    rule->step(a, g, moments, 0.5, segments);
    for (std::size_t i = 0; i < g.size(); ++i) {
      const auto exact = static_cast<double>(-step_by_history(options(), {g[i]}, 0.5L));
      EXPECT_NEAR(a[i], exact, 4e-15 * std::abs(exact)) << "gradient " << g[i];
    }
  }
}

TEST_P(EveryRule, SinglePrecisionFollowsDoublePrecision) {
  const auto rule = make_optimizer(options());
  const Quadratic problem;
  const std::size_t n = problem.minimum.size();
  std::vector<double> a(n, 0.25);
  std::vector<float> a32(n, 0.25f);
  const std::vector<Segment> segments = {{.begin = 0, .size = n, .lower = -1.0, .upper = 1.25}};
  Moments moments = rule->start(n);
  auto moments32 = rule->start<float>(n);
  for (int t = 0; t < 50; ++t) {
    const std::vector<double> g = problem.gradient(a);
    const std::vector<float> g32(g.begin(), g.end());
    rule->step(a, g, moments, 0.02, segments);
    rule->step<float>(a32, g32, moments32, 0.02, segments);
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(a32[i], a[i], 2e-5) << "step " << t << " parameter " << i;
  }
}

// A gradient given times a power of two makes the same steps; huge ones neither freeze a parameter nor become NaN.
TEST_P(EveryRule, StepsInPiecesDoNotDependOnTheScaleOfTheGradient) {
  const auto rule = make_optimizer(options());
  const std::size_t n = 37;
  const auto run = [&](double scale) {
    std::vector<double> a(n, 0.5), g(n);
    Moments moments = rule->start(n);
    for (int t = 0; t < 5; ++t) {
      for (std::size_t i = 0; i < n; ++i) g[i] = scale * (static_cast<double>(i) - 11.5 * t) * 1e3;
      const StepNumbers numbers = rule->numbers(++moments.steps, 0.01, scale);
      const std::span<double> parameters(a), gradient(g);
      rule->step_and_clear(numbers, piece_of(parameters, gradient, moments, 0, 10), 0.0, 2.0);
      rule->step_and_clear(numbers, piece_of(parameters, gradient, moments, 10, n - 10), 0.0, 2.0);
      EXPECT_THAT(g, ::testing::Each(0.0)) << "the gradient is cleared for the next step";
    }
    return a;
  };
  const std::vector<double> plain = run(1), scaled = run(0x1p-20);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(plain[i], scaled[i], 1e-14) << i;
}

/// Other code asks for rules by these names, which stand for positions in the list.
TEST(Optimizers, NamesAreThoseOfTheList) {
  EXPECT_EQ(word_of(OptimizerKind::adam), "adam");
  EXPECT_EQ(word_of(OptimizerKind::amsgrad), "amsgrad");
  EXPECT_EQ(word_of(OptimizerKind::adagrad), "adagrad");
  EXPECT_EQ(word_of(OptimizerKind::sgd), "sgd");
}

TEST(SinglePrecision, HugeGradientsNeitherFreezeNorSpoilAParameter) {
  testing::for_each_simd_target([](SimdTarget) {
    const Optimizer adam{OptimizerOptions{}};
    std::vector<float> a = {0.5f};
    auto moments = adam.start<float>(1);
    const std::vector<Segment> segments = {{.begin = 0, .size = 1}};
    adam.step<float>(a, std::vector<float>{3e30f}, moments, 0.01, segments);
    EXPECT_NEAR(a[0], 0.49f, 1e-4f);
    const float before = a[0];
    for (int t = 0; t < 20; ++t) adam.step<float>(a, std::vector<float>{3e30f}, moments, 0.01, segments);
    EXPECT_LT(a[0], before - 0.1f);
  });
}

INSTANTIATE_TEST_SUITE_P(All, EveryRule, ::testing::ValuesIn(all_settings()), [](const auto& instance) {
  return fmt::format("{}_{}", name_of(instance.param.options), word_of(instance.param.target));
});

TEST(Bounds, ClampKeepsNan) {
  EXPECT_TRUE(std::isnan(clamp_keeping_nan(nan, 0, 1)));
  EXPECT_TRUE(std::isnan(clamp_keeping_nan(nan, -infinity, infinity)));
  EXPECT_EQ(clamp_keeping_nan(-0.5, 0, 1), 0);
  EXPECT_EQ(clamp_keeping_nan(1.5, 0, 1), 1);
  EXPECT_EQ(clamp_keeping_nan(0.5, 0, 1), 0.5);
  EXPECT_EQ(clamp_keeping_nan(-infinity, 0, infinity), 0);
}

TEST(AmsGrad, EqualsAdamWhileTheSecondMomentGrowsAndIsSlowerAfterALargeGradient) {
  OptimizerOptions o;
  const auto adam = make_optimizer(o);
  o.kind = OptimizerKind::amsgrad;
  const auto amsgrad = make_optimizer(o);
  const std::vector<Segment> segments = {{.begin = 0, .size = 1}};
  std::vector<double> a = {0};
  std::vector<double> b = {0};
  Moments ma = adam->start(1);
  Moments mb = amsgrad->start(1);
  for (int t = 0; t < 20; ++t) {
    const std::vector<double> g = {1.0 + t};
    adam->step(a, g, ma, 0.01, segments);
    amsgrad->step(b, g, mb, 0.01, segments);
    EXPECT_EQ(a[0], b[0]);
  }
  const double from = a[0];
  for (int t = 0; t < 2000; ++t) {
    const std::vector<double> g = {0.01};
    adam->step(a, g, ma, 0.01, segments);
    amsgrad->step(b, g, mb, 0.01, segments);
  }
  EXPECT_GT(from - a[0], from - b[0]);
}

TEST(MakeOptimizer, NamesAFieldThatBreaksItsRule) {
  OptimizerOptions o;
  o.beta1 = 1;
  try {
    make_optimizer(o);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::usage);
    EXPECT_STREQ(e.what(), "beta1 must be at least 0 and below 1 (is 1)");
  }
}

}  // namespace
}  // namespace polyad
