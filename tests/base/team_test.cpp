#include <polyad/base/team.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace polyad {
namespace {

TEST(Team, EveryThreadWorksOnceARun) {
  for (const std::size_t threads : {1, 2, 3, 8}) {
    Team team;
    std::vector<int> runs(threads, 0);
    for (int i = 0; i < 50; ++i) team.run(team.at_most(threads), [&](std::size_t t) { ++runs[t]; });
    EXPECT_EQ(runs, std::vector<int>(threads, 50));
  }
}

TEST(Team, GrowsAndShrinksFromRunToRun) {
  Team team;
  for (const std::size_t threads : {1, 3, 2, 1, 5, 1, 4, 5}) {
    std::vector<int> runs(5, 0);
    team.run(team.at_most(threads), [&](std::size_t t) {
      ++runs[t];
      team.barrier();
      ++runs[t];
    });
    for (std::size_t t = 0; t < runs.size(); ++t) EXPECT_EQ(runs[t], t < threads ? 2 : 0) << threads;
  }
}

// Each thread reads what all wrote before the barrier: wrong sums, or a report of the thread sanitizer, if it leaks.
TEST(Team, NobodyPassesABarrierBeforeAllHaveCome) {
  for (const std::size_t threads : {2, 3, 5}) {
    Team team;
    std::vector<std::uint64_t> values(threads, 0);
    std::vector<std::uint64_t> sums(threads, 0);
    constexpr std::uint64_t steps = 3000;
    team.run(team.at_most(threads), [&](std::size_t t) {
      for (std::uint64_t step = 0; step < steps; ++step) {
        values[t] = step + t;
        team.barrier();
        sums[t] += std::accumulate(values.begin(), values.end(), std::uint64_t{0});
        team.barrier();
      }
    });
    const std::uint64_t expected = threads * steps * (steps - 1) / 2 + steps * threads * (threads - 1) / 2;
    for (const std::uint64_t sum : sums) EXPECT_EQ(sum, expected);
  }
}

TEST(Team, AFailureEndsTheOthersAtTheirNextBarrier) {
  Team team;
  for (int again = 0; again < 20; ++again) {
    std::atomic<int> steps = 0;
    EXPECT_THROW(team.run(team.at_most(3),
                          [&](std::size_t t) {
                            for (int step = 0; step < 1000; ++step) {
                              if (t == 1 && step == 7) throw std::runtime_error("broken");
                              ++steps;
                              team.barrier();
                            }
                          }),
                 std::runtime_error);
    EXPECT_LE(steps, 3 * 8);
    // And the team can be used again.
    std::atomic<int> after = 0;
    team.run(team.at_most(3), [&](std::size_t) {
      ++after;
      team.barrier();
    });
    EXPECT_EQ(after, 3);
  }
}

}  // namespace
}  // namespace polyad
