// Data of zeros, and values whose squares no number can hold: every figure that is shown on the way is one that was computed.

#include <polyad/fit.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <mutex>
#include <random>

namespace polyad {
namespace {

Tensor random_values(double size) {
  AlignedVector<double> values(6 * 5 * 4);
  std::mt19937_64 draw(3);
  for (double& x : values) x = size * std::ldexp(static_cast<double>(draw() >> 11), -53);
  return Tensor(DenseTensor(IndexSpace({6, 5, 4}), std::move(values)));
}

FitOptions options_for(const char* method) {
  FitOptions options;
  options.rank = 2;
  options.loss = "gaussian";
  options.method = method;
  options.starts = 2;
  options.threads = 1;
  if (options.method == "gcp-sgd") {
    options.schedule.epochs = 3;
    options.schedule.epoch_iterations = 50;
  }
  return options;
}

struct Watched {
  std::vector<Progress> seen;
  FitResult result;
};

Watched watch(const Tensor& tensor, const FitOptions& options) {
  Watched watched;
  Monitor monitor;
  monitor.on_epoch = [&](const Progress& progress) { watched.seen.push_back(progress); };
  watched.result = fit(tensor, options, monitor);
  return watched;
}

class ExtremeValues : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(EveryMethod, ExtremeValues, testing::Values("gcp-sgd", "gcp-full", "cp-als"),
                         [](const auto& test) {
                           std::string name = test.param;
                           name[name.find('-')] = '_';
                           return name;
                         });

TEST_P(ExtremeValues, LossesStayNumbers) {
  const Watched plain = watch(random_values(1), options_for(GetParam()));
  EXPECT_TRUE(plain.result.remarks.empty());
  for (const double size : {0x1p990, 0x1p-990}) {
    const Watched extreme = watch(random_values(size), options_for(GetParam()));
    ASSERT_EQ(extreme.seen.size(), plain.seen.size());
    for (std::size_t n = 0; n < plain.seen.size(); ++n) {
      EXPECT_TRUE(std::isfinite(extreme.seen[n].row.estimate) && extreme.seen[n].row.estimate > 0);
      EXPECT_TRUE(std::isfinite(extreme.seen[n].best));
      EXPECT_EQ(extreme.seen[n].note, plain.seen[n].note);
    }
    ASSERT_EQ(extreme.result.remarks.size(), 1u);
    EXPECT_THAT(extreme.result.remarks[0], testing::HasSubstr("losses are given for the data divided by"));
    EXPECT_NEAR(extreme.result.verdict.quality.explained(), plain.result.verdict.quality.explained(), 1e-9);
    EXPECT_FALSE(extreme.result.verdict.unusable());
    EXPECT_NEAR(extreme.result.model.weights[0] / size, plain.result.model.weights[0], 1e-9);
  }
}

TEST_P(ExtremeValues, ZerosHaveNoShareExplained) {
  const Tensor zeros(DenseTensor(IndexSpace({6, 5, 4}), AlignedVector<double>(6 * 5 * 4, 0.0)));
  const Watched watched = watch(zeros, options_for(GetParam()));
  ASSERT_FALSE(watched.seen.empty());
  for (const Progress& progress : watched.seen) {
    EXPECT_TRUE(std::isfinite(progress.row.estimate) && progress.row.estimate >= 0);
    EXPECT_LT(progress.row.estimate, 1e3);
    EXPECT_THAT(progress.note, testing::Not(testing::HasSubstr("fit"))) << "of nothing";
  }
}

}  // namespace
}  // namespace polyad
