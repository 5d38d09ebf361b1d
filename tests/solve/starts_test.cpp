#include <polyad/solve/starts.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

namespace polyad {
namespace {

StartResult result_of(std::size_t start, double estimate) {
  StartResult result;
  result.start = start;
  result.estimate = estimate;
  return result;
}

const auto no_limit = [] { return false; };

TEST(Multistart, KeepsTheLowestFiniteEstimateAndTheFirstOfEquals) {
  const std::vector<double> estimates = {std::nan(""), 5, 3, -INFINITY, 3, 4};
  for (const std::size_t threads : {1, 2, 4}) {
    const auto result =
        multistart(estimates.size(), threads, {}, no_limit,
                   [&](std::size_t s, ThreadBudget, const Monitor&) { return result_of(s, estimates[s]); });
    ASSERT_EQ(result.starts.size(), 6u);
    EXPECT_EQ(result.best, 2u);
  }
}

TEST(Multistart, BeginsNoFurtherStartOnceOutOfTimeButAlwaysTheFirst) {
  const auto result = multistart(
      5, 1, {}, [] { return true; }, [&](std::size_t s, ThreadBudget, const Monitor&) { return result_of(s, 1); });
  ASSERT_EQ(result.starts.size(), 1u);
  EXPECT_EQ(result.starts[0].start, 0u);
}

TEST(Multistart, HandsLeftOverThreadsToTheStarts) {
  std::atomic<int> arrived = 0;
  multistart(2, 8, {}, no_limit, [&](std::size_t s, ThreadBudget threads, const Monitor&) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
    if (s == 0) {
      EXPECT_EQ(threads.now(), 4u);
    }
    if (s == 1) {
      while (threads.now() != 8u) std::this_thread::yield();  // once the other has ended
    }
    return result_of(s, 1);
  });
  multistart(5, 1, {}, no_limit, [&](std::size_t s, ThreadBudget threads, const Monitor&) {
    EXPECT_EQ(threads.now(), 1u);
    return result_of(s, 1);
  });
}

TEST(Multistart, CallsTheSinkOneAtATime) {
  std::atomic<int> inside = 0;
  int calls = 0;
  Monitor monitor;
  monitor.on_epoch = [&](const Progress&) {
    EXPECT_EQ(++inside, 1);
    ++calls;
    --inside;
  };
  multistart(8, 4, monitor, no_limit, [&](std::size_t s, ThreadBudget, const Monitor& guarded) {
    for (int i = 0; i < 100; ++i) guarded.on_epoch({});
    return result_of(s, 1);
  });
  EXPECT_EQ(calls, 800);
}

}  // namespace
}  // namespace polyad
