// A fit is planned once: one random guess per start, one sampler and one estimate batch per fit. The linker sends the calls of
// these functions through the counters below (--wrap in tests/CMakeLists.txt); a changed signature shows as a count of 0.

#include <polyad/fit.hpp>
#include <polyad/problems/problem.hpp>
#include <polyad/sample/sampler.hpp>

#include <gtest/gtest.h>

#include <atomic>

#define POLYAD_GUESS "_ZN6polyad12random_guessERKNS_10IndexSpaceEmNS_9GuessKindEdmm"
#define POLYAD_SAMPLER "_ZN6polyad12make_samplerERKNS_6TensorERKNS_8LossInfoERKNS_13SampleOptionsE"
#define POLYAD_ESTIMATE "_ZN6polyad14estimate_batchERKNS_6TensorERKNS_13SampleOptionsE"

namespace polyad {

std::atomic<int> guesses_drawn = 0;
std::atomic<int> samplers_made = 0;
std::atomic<int> estimates_made = 0;

Factors counted_guess(const IndexSpace&, std::size_t, GuessKind, double, std::uint64_t,
                      std::uint64_t) __asm__("__wrap_" POLYAD_GUESS);
Factors real_guess(const IndexSpace&, std::size_t, GuessKind, double, std::uint64_t,
                   std::uint64_t) __asm__("__real_" POLYAD_GUESS);
std::unique_ptr<Sampler> counted_sampler(const Tensor&, const LossInfo&,
                                         const SampleOptions&) __asm__("__wrap_" POLYAD_SAMPLER);
std::unique_ptr<Sampler> real_sampler(const Tensor&, const LossInfo&,
                                      const SampleOptions&) __asm__("__real_" POLYAD_SAMPLER);
Batch counted_estimate(const Tensor&, const SampleOptions&) __asm__("__wrap_" POLYAD_ESTIMATE);
Batch real_estimate(const Tensor&, const SampleOptions&) __asm__("__real_" POLYAD_ESTIMATE);

Factors counted_guess(const IndexSpace& space, std::size_t rank, GuessKind kind, double norm, std::uint64_t seed,
                      std::uint64_t start) {
  ++guesses_drawn;
  return real_guess(space, rank, kind, norm, seed, start);
}

std::unique_ptr<Sampler> counted_sampler(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options) {
  ++samplers_made;
  return real_sampler(tensor, loss, options);
}

Batch counted_estimate(const Tensor& tensor, const SampleOptions& options) {
  ++estimates_made;
  return real_estimate(tensor, options);
}

namespace {

struct Counts {
  int guesses = guesses_drawn;
  int samplers = samplers_made;
  int estimates = estimates_made;
};

Problem counts_problem() {
  PoissonOptions options;
  options.shape = "12x10x8";
  options.rank = 2;
  options.total = 2000;
  return make_problem(options);
}

FitOptions short_fit() {
  FitOptions options;
  options.rank = 2;
  options.loss = "poisson";
  options.starts = 4;
  options.schedule.epochs = 2;
  options.schedule.epoch_iterations = 20;
  return options;
}

TEST(PlannedOnce, OneGuessAStartAndOneSamplerAFit) {
  const Problem problem = counts_problem();
  const Counts before;
  const FitPlan planned = plan(problem.tensor, short_fit());
  EXPECT_NE(describe(planned).find("exact-zeros"), std::string::npos);
  const FitResult result = fit(planned);
  const Counts after;
  EXPECT_EQ(result.starts.size(), 4u);
  EXPECT_EQ(after.guesses - before.guesses, 4);
  EXPECT_EQ(after.samplers - before.samplers, 1);
  EXPECT_EQ(after.estimates - before.estimates, 1);
}

TEST(PlannedOnce, ExactMethodsMakeNoSampler) {
  const Problem problem = counts_problem();
  FitOptions options = short_fit();
  options.schedule = {};
  options.method = "cp-apr";
  const Counts before;
  fit(problem.tensor, options);
  const Counts after;
  EXPECT_EQ(after.guesses - before.guesses, 4);
  EXPECT_EQ(after.samplers - before.samplers, 0);
  EXPECT_EQ(after.estimates - before.estimates, 0);
}

TEST(PlannedOnce, APlanCanBeExecutedAgain) {
  const Problem problem = counts_problem();
  const FitPlan planned = plan(problem.tensor, short_fit());
  EXPECT_EQ(fit(planned).model, fit(planned).model);
  EXPECT_EQ(fit(planned).model, fit(problem.tensor, short_fit()).model);
}

}  // namespace
}  // namespace polyad
