// The instruction set of a fit: as asked for, recorded, given back; and one at a time in a process.
// (tests/cli/test_portable.py compares the bits of whole fits.)

#include <polyad/base/json_value.hpp>
#include <polyad/base/math.hpp>
#include <polyad/fit.hpp>
#include <polyad/fit/plan.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/problems/problem.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace polyad {
namespace {

Problem some_counts() {
  PoissonOptions options;
  options.shape = "12x10x8";
  options.rank = 2;
  options.total = 2000;
  return make_problem(options);
}

FitOptions some_options() {
  FitOptions options;
  options.rank = 2;
  options.loss = "poisson";
  options.starts = 2;
  options.schedule.epochs = 2;
  options.schedule.epoch_iterations = 50;
  return options;
}

TEST(Simd, IsUsedRecordedAndGivenBack) {
  const Problem problem = some_counts();
  const SimdTarget before = simd_target();
  for (const SimdTarget target : supported_simd_targets()) {
    FitOptions options = some_options();
    options.simd = target;
    Monitor monitor;
    SimdTarget during = before;
    monitor.on_epoch = [&](const Progress&) { during = simd_target(); };
    const FitResult result = fit(problem.tensor, options, monitor);
    EXPECT_EQ(during, target);
    EXPECT_EQ(simd_target(), before);
    EXPECT_EQ(result.simd, target);
    EXPECT_EQ(to_model_file(result).summary->json["simd"], std::string(word_of(target)));
  }
}

// Formulas are polyad's own code; what a function of the user's computes is not.
TEST(Simd, PortableSaysWhatItDoesNotCover) {
  const Problem problem = some_counts();
  FitOptions options = some_options();
  options.simd = SimdTarget::portable;
  const Loss own = user_loss("square", [](auto x, auto m) { return (x - m) * (x - m); });
  EXPECT_THAT(describe(plan(problem.tensor, own, options)),
              testing::HasSubstr("the loss square is computed by its own"));
  options.loss = "expr:(x - m)**2";
  EXPECT_THAT(describe(plan(problem.tensor, options)), testing::Not(testing::HasSubstr("its own")));
  options.simd = SimdTarget::scalar;
  EXPECT_THAT(describe(plan(problem.tensor, own, options)), testing::Not(testing::HasSubstr("its own")));
}

TEST(Simd, AnotherOneIsRefusedWhileAFitRuns) {
  const SimdUse running(SimdTarget::portable);
  EXPECT_NO_THROW(SimdUse{std::nullopt});
  EXPECT_NO_THROW(SimdUse{SimdTarget::portable});
  FitOptions options = some_options();
  options.simd = SimdTarget::scalar;
  try {
    fit(some_counts().tensor, options);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::usage);
    EXPECT_STREQ(e.what(),
                 "simd: scalar is asked for while another fit of this program runs with portable; let that end first");
  }
}

TEST(Simd, AResumeOnAnotherSetIsRemarkedOn) {
  const std::string path = (std::filesystem::temp_directory_path() / "polyad-simd-test.h5").string();
  const Problem problem = some_counts();
  FitOptions options = some_options();
  options.simd = SimdTarget::portable;
  options.checkpoint.file = path;
  options.checkpoint.every = 0;
  fit(problem.tensor, options);
  options.checkpoint = {};
  options.checkpoint.resume = path;
  EXPECT_TRUE(fit(problem.tensor, options).remarks.empty());
  options.simd = SimdTarget::scalar;
  const FitResult other = fit(problem.tensor, options);
  ASSERT_EQ(other.remarks.size(), 1u);
  EXPECT_THAT(other.remarks[0],
              testing::HasSubstr("was written by the instruction set portable, this fit goes on with scalar"));
  EXPECT_EQ(to_model_file(other).summary->json["remarks"].size(), 1u);
  std::filesystem::remove(path);
}

TEST(Simd, PortableFunctionsAreThoseOfTheLibraryButForRounding) {
  const auto near = [](double found, double right, double at) {
    EXPECT_NEAR(found, right, 1e-15 * (1 + std::abs(right))) << at;
  };
  for (double x = 1e-9; x < 1e9; x *= 1.37) {
    near(math::portable::log(x), std::log(x), x);
    near(math::portable::log1p(x), std::log1p(x), x);
    near(math::portable::pow(x, 0.25) / std::pow(x, 0.25), 1, x);
  }
  for (double x = -30; x < 30; x += 0.37) {
    near(math::portable::exp(x) / std::exp(x), 1, x);
    near(math::portable::expm1(x) / std::expm1(x), 1, x);
    near(math::portable::sin(x), std::sin(x), x);
    near(math::portable::cos(x), std::cos(x), x);
  }
  EXPECT_EQ(math::portable::pow(0, 0.5), 0);
  EXPECT_EQ(math::portable::pow(3, 0), 1);
  EXPECT_EQ(math::portable::pow(1, 1e300), 1);
}

}  // namespace
}  // namespace polyad
