#include <polyad/base/error.hpp>
#include <polyad/loss.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>

namespace polyad {
namespace {

constexpr double xs[] = {0.5, 1, 3}, ms[] = {0.1, 1, 2.5, 8};

void expect_same(const Loss& ours, const Loss& reference) {
  for (const double x : xs) {
    for (const double m : ms) {
      EXPECT_NEAR(ours.value(x, m), reference.value(x, m), 1e-13) << ours.name();
      EXPECT_NEAR(ours.derivative(x, m), reference.derivative(x, m), 1e-12) << ours.name();
    }
  }
}

TEST(UserLoss, GenericValueAlone) {
  const Loss loss = user_loss("mine", [](auto x, auto m) {
    using std::log;
    return x / (m + loss_epsilon) + log(m + loss_epsilon);
  });
  expect_same(loss, parse_loss("gamma"));
  EXPECT_EQ(loss.spec(), "mine");
  EXPECT_EQ(loss.info().lower, no_bound);
}

TEST(UserLoss, OnlyTheModelValueGeneric) {
  expect_same(user_loss("mine", [](double x, auto m) { return (m - x) * (m - x); }), parse_loss("gaussian"));
}

TEST(UserLoss, BranchesPickTheirDerivative) {
  const auto huber = [delta = 0.75](auto x, auto m) {
    const auto d = m > x ? m - x : x - m;
    return d < delta ? d * d : 2 * delta * d - delta * delta;
  };
  expect_same(user_loss("mine", huber), parse_loss("huber:delta=0.75"));
}

TEST(UserLoss, PlainValueAndDerivative) {
  const Loss loss = user_loss(
      "my-poisson", [](double x, double m) { return m - x * std::log(m + 1e-10); },
      [](double x, double m) { return 1 - x / (m + 1e-10); },
      {.formula = "m - x log m", .lower = 0, .domain = Domain::nonnegative, .zero_sum = ZeroSum::linear});
  expect_same(loss, parse_loss("poisson"));
  EXPECT_EQ(loss.info().lower, 0);
  EXPECT_EQ(loss.info().domain, Domain::nonnegative);
  EXPECT_EQ(loss.info().zero_sum, ZeroSum::linear);
  EXPECT_EQ(loss.info().formula, "m - x log m");
}

TEST(UserLoss, FunctionPointersAndStdFunction) {
  double (*value)(double, double) = [](double x, double m) { return (x - m) * (x - m); };
  const std::function<double(double, double)> slope = [](double x, double m) { return 2 * (m - x); };
  expect_same(user_loss("mine", value, slope), parse_loss("gaussian"));
}

TEST(UserLoss, WorksInBlocks) {
  const Loss loss = user_loss("mine", [](auto x, auto m) { return (m - x) * (m - x); });
  std::vector<double> x(100), m(100), out(100);
  for (std::size_t t = 0; t < 100; ++t) x[t] = static_cast<double>(t), m[t] = 50;
  loss.derivatives(100, x.data(), m.data(), out.data());
  for (std::size_t t = 0; t < 100; ++t) EXPECT_EQ(out[t], 2 * (m[t] - x[t]));
}

TEST(UserLoss, TextsLiveAsLongAsTheLoss) {
  std::optional<Loss> kept;
  {
    std::string name = "a-name-too-long-for-the-small-string-buffer";
    const Loss loss = user_loss(name, [](auto x, auto m) { return (m - x) * (m - x); },
                                {.data = std::string("numbers, described at some length too")});
    name.assign(name.size(), '?');
    kept = loss;
  }
  const Loss copy = *kept;
  kept.reset();
  EXPECT_EQ(copy.name(), "a-name-too-long-for-the-small-string-buffer");
  EXPECT_EQ(copy.info().data, "numbers, described at some length too");
}

// A struct like those of the built-in headers, without a derivative, with a parameter.
struct SmoothL1 {
  double width = 0.1;
  static constexpr LossInfo info = {.name = "smooth-l1", .formula = "sqrt((x-m)^2 + width^2)", .data = {}, .link = {}};
  static constexpr std::array<LossParameter<SmoothL1>, 1> parameters() {
    return {{{.name = "width", .member = &SmoothL1::width, .help = "how round the corner is", .above = 0}}};
  }
  template <class T>
  T value(T x, T m) const {
    using std::sqrt;
    return sqrt((m - x) * (m - x) + width * width);
  }
};

TEST(UserLoss, StructWithParameters) {
  const Loss loss = Loss::of(SmoothL1{0.5});
  EXPECT_EQ(loss.spec(), "smooth-l1:width=0.5");
  EXPECT_DOUBLE_EQ(loss.value(1, 2), std::sqrt(1.25));
  EXPECT_DOUBLE_EQ(loss.derivative(1, 2), 1 / std::sqrt(1.25));
  EXPECT_THROW(Loss::of(SmoothL1{-1}), Error);
}

TEST(UserLoss, MistakesAreNamed) {
  const auto square = [](auto x, auto m) { return (m - x) * (m - x); };
  const auto error_of = [&](const std::string& name, UserLossInfo info) -> std::string {
    try {
      user_loss(name, square, std::move(info));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(error_of("", {}), "a user loss needs a name, such as 'my-loss'");
  EXPECT_EQ(error_of("poisson", {}), "user loss 'poisson': a built-in loss has this name; choose another");
  EXPECT_EQ(error_of("a:b", {}), "user loss 'a:b': a name cannot hold blanks or any of : , =");
  EXPECT_EQ(error_of("mine", {.zero_sum = ZeroSum::linear}),
            "user loss 'mine': zero_sum says f(0, m) = m, but f(0, 0.25) is 0.0625; leave zero_sum out");
  EXPECT_EQ(error_of("mine", {.zero_sum = ZeroSum::quadratic}), "accepted");
}

// A plain function of doubles has no derivative of its own: refused when compiling, with a sentence saying
// what to do.
static_assert(!DifferentiableLossFunction<double (*)(double, double)>);
static_assert(!LossMath<int>);

}  // namespace
}  // namespace polyad
