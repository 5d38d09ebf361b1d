// The choice of the number of threads, on pretended machines.

#include <polyad/solve/thread_tuner.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace polyad {
namespace {

using Cost = std::function<double(std::size_t threads)>;  // seconds an iteration

// Seconds for `iterations`, and the threads of the last stretch.
double run(ThreadTuner& tuner, std::size_t allowed, std::uint64_t iterations, const Cost& cost,
           std::size_t* last = nullptr) {
  double seconds = 0;
  for (std::uint64_t done = 0; done < iterations;) {
    const std::size_t threads = tuner.threads(allowed);
    EXPECT_GE(threads, 1u);
    EXPECT_LE(threads, allowed);
    const std::uint64_t n = tuner.iterations();
    const double took = static_cast<double>(n) * cost(threads);
    tuner.record(n, took);
    seconds += took;
    done += n;
    if (last != nullptr) *last = threads;
  }
  return seconds;
}

const Cost scales = [](std::size_t threads) { return 80e-6 / static_cast<double>(threads); };
// One core of two is taken by another program: a team waits for its second thread.
const Cost shared = [](std::size_t threads) { return threads == 1 ? 40e-6 : 200e-6; };

TEST(ThreadTuner, AllThreadsWhereTheyPayAtHardlyAnyCost) {
  for (const std::size_t allowed : {1, 2, 3, 8, 64}) {
    ThreadTuner tuner;
    const auto two_seconds = static_cast<std::uint64_t>(2 / scales(allowed));
    EXPECT_LT(run(tuner, allowed, two_seconds, scales), 1.03 * 2) << allowed;
  }
}

// A thread that starts again is slow at first.
TEST(ThreadTuner, ComesBackToAllThreadsAlthoughTheyWakeUpSlowly) {
  ThreadTuner tuner;
  std::size_t before = 0;
  int since = 0;
  bool disturbed = true;
  const Cost sleepy = [&](std::size_t threads) {
    since = threads == before ? since + 1 : 0;
    before = threads;
    return threads == 1 ? 40e-6 : disturbed ? 200e-6 : since == 0 ? 60e-6 : 22e-6;
  };
  run(tuner, 2, 5'000, sleepy);
  disturbed = false;
  run(tuner, 2, 30'000, sleepy);
  EXPECT_LT(run(tuner, 2, 50'000, sleepy), 1.05 * 50'000 * 22e-6);
}

TEST(ThreadTuner, OneThreadWhereATeamIsHeldUp) {
  ThreadTuner tuner;
  const double seconds = run(tuner, 2, 100'000, shared);
  EXPECT_LT(seconds, 1.1 * 100'000 * shared(1));
}

TEST(ThreadTuner, FollowsWhenTheOtherProgramComesAndGoes) {
  ThreadTuner tuner;
  run(tuner, 2, 200'000, scales);
  std::size_t threads = 0;
  EXPECT_LT(run(tuner, 2, 50'000, shared, &threads), 1.2 * 50'000 * shared(1));
  EXPECT_EQ(threads, 1u);
  const double after = run(tuner, 2, 200'000, scales);
  EXPECT_LT(after, 1.25 * 200'000 * scales(2));
}

TEST(ThreadTuner, SomeThreadsWhereManyAreTooMany) {
  const Cost best_at_four = [](std::size_t threads) {
    return 100e-6 / static_cast<double>(threads) + 5e-6 * static_cast<double>(threads);
  };
  ThreadTuner tuner;
  run(tuner, 16, 20'000, best_at_four);
  EXPECT_LT(run(tuner, 16, 100'000, best_at_four), 1.05 * 100'000 * best_at_four(4));
}

TEST(ThreadTuner, BeginsAgainWhenOtherThreadsAreAllowed) {
  ThreadTuner tuner;
  run(tuner, 1, 10'000, scales);
  EXPECT_EQ(tuner.threads(2), 2u);
}

}  // namespace
}  // namespace polyad
