// Adam against traces computed elsewhere (tests/golden): 200 steps with the exact gradient of a 6 x 5 x 4 x 3
// problem. Gradient and objective are plain loops over all cells, independent of polyad's losses and kernels.

#include <polyad/base/json_value.hpp>
#include <polyad/fields.hpp>
#include <polyad/optim/optimizer.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <string>

namespace polyad {
namespace {

constexpr std::size_t extents[4] = {6, 5, 4, 3};
constexpr std::size_t rank = 3;
constexpr double log_eps = 1e-10;

Json read_golden(const std::string& name) {
  std::ifstream in(std::string(POLYAD_GOLDEN_DIR) + "/" + name);
  return Json::parse(in);
}

std::size_t mode_begin(std::size_t k) {
  std::size_t begin = 0;
  for (std::size_t q = 0; q < k; ++q) begin += extents[q] * rank;
  return begin;
}

/// Nested lists of numbers, one after the other.
void flatten(const Json& json, std::vector<double>& out) {
  if (json.is_number()) {
    out.push_back(json.get<double>());
    return;
  }
  for (const auto& item : json) flatten(item, out);
}
std::vector<double> flat(const Json& json) {
  std::vector<double> out;
  flatten(json, out);
  return out;
}

struct Elementwise {
  double (*value)(double x, double m);
  double (*derivative)(double x, double m);
};

Elementwise loss_of(const std::string& name) {
  if (name == "gaussian") {
    return {[](double x, double m) { return (x - m) * (x - m); }, [](double x, double m) { return 2 * (m - x); }};
  }
  if (name == "bernoulli-odds") {
    return {[](double x, double m) { return std::log(m + 1) - x * std::log(m + log_eps); },
            [](double x, double m) { return 1 / (m + 1) - x / (m + log_eps); }};
  }
  if (name == "poisson") {
    return {[](double x, double m) { return m - x * std::log(m + log_eps); },
            [](double x, double m) { return 1 - x / (m + log_eps); }};
  }
  if (name != "gamma") ADD_FAILURE() << "no loss " << name;
  return {[](double x, double m) { return x / (m + log_eps) + std::log(m + log_eps); },
          [](double x, double m) { return 1 / (m + log_eps) - x / ((m + log_eps) * (m + log_eps)); }};
}

/// F and, where asked for, its gradient in the layout of `a`. Long double sums: what is tested is Adam's
/// rounding.
double objective(const std::vector<double>& a, const std::vector<double>& x, const Elementwise& loss,
                 std::vector<double>* gradient) {
  long double total = 0;
  std::vector<long double> sums(a.size(), 0);
  std::size_t cell = 0;
  std::size_t i[4];
  for (i[0] = 0; i[0] < extents[0]; ++i[0])
    for (i[1] = 0; i[1] < extents[1]; ++i[1])
      for (i[2] = 0; i[2] < extents[2]; ++i[2])
        for (i[3] = 0; i[3] < extents[3]; ++i[3], ++cell) {
          const auto entry = [&](std::size_t k, std::size_t j) { return mode_begin(k) + i[k] * rank + j; };
          double m = 0;
          for (std::size_t j = 0; j < rank; ++j) m += a[entry(0, j)] * a[entry(1, j)] * a[entry(2, j)] * a[entry(3, j)];
          total += loss.value(x[cell], m);
          const double y = loss.derivative(x[cell], m);
          for (std::size_t k = 0; k < 4; ++k)
            for (std::size_t j = 0; j < rank; ++j) {
              double others = 1;
              for (std::size_t q = 0; q < 4; ++q)
                if (q != k) others *= a[entry(q, j)];
              sums[entry(k, j)] += static_cast<long double>(y) * others;
            }
        }
  if (gradient != nullptr) gradient->assign(sums.begin(), sums.end());
  return static_cast<double>(total);
}

void expect_relative(const std::vector<double>& got, const std::vector<double>& want, const std::string& what) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t t = 0; t < want.size(); ++t) {
    EXPECT_NEAR(got[t], want[t], 1e-12 * std::abs(want[t])) << what << " entry " << t;
  }
}

class AdamGolden : public ::testing::TestWithParam<std::tuple<AdamForm, int>> {};

TEST_P(AdamGolden, FollowsTheTraceTo1e12) {
  const auto [form, number] = GetParam();
  const Json traces = read_golden("golden_adam_fullgrad.json");
  const Json problems = read_golden("golden_small.json");
  const Json& run = traces[form == AdamForm::paper ? "eps_inside" : "eps_outside"][static_cast<std::size_t>(number)];
  SCOPED_TRACE(run["loss"].get<std::string>());

  std::vector<double> a = flat(problems["models"][run["model"].get<std::string>()]);
  const std::vector<double> x = flat(problems["dense"][run["data"].get<std::string>()]);
  const Elementwise loss = loss_of(run["loss"]);
  const std::vector<double> expected = flat(run["F_trace"]);

  OptimizerOptions options;
  options.form = form;
  options.beta1 = run["beta1"];
  options.beta2 = run["beta2"];
  options.epsilon = run["epsilon"];
  const auto adam = make_optimizer(options);
  std::vector<Segment> segments;
  for (std::size_t k = 0; k < 4; ++k) {
    Segment s{.begin = mode_begin(k), .size = extents[k] * rank};
    if (!run["lower"].is_null()) s.lower = run["lower"];
    segments.push_back(s);
  }

  Moments moments = adam->start(a.size());
  std::vector<double> gradient;
  std::vector<double> trace = {objective(a, x, loss, &gradient)};
  while (trace.size() < expected.size()) {
    adam->step(a, gradient, moments, run["rate"], segments);
    if (trace.size() == 1) expect_relative(a, flat(run["after_step_1"]), "after step 1,");
    trace.push_back(objective(a, x, loss, &gradient));
  }
  EXPECT_EQ(moments.steps, run["steps"].get<std::uint64_t>());
  expect_relative(trace, expected, "objective,");
  expect_relative(a, flat(run["final"]), "after the last step,");
}

INSTANTIATE_TEST_SUITE_P(
    All, AdamGolden, ::testing::Combine(::testing::Values(AdamForm::paper, AdamForm::usual), ::testing::Range(0, 4)),
    [](const auto& instance) {
      return std::string(word_of(std::get<0>(instance.param))) + std::to_string(std::get<1>(instance.param));
    });

}  // namespace
}  // namespace polyad
