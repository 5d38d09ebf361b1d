#include <polyad/base/parallel.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace polyad {
namespace {

TEST(ParallelTasks, RunsEveryTaskOnce) {
  for (const std::size_t threads : {0u, 1u, 2u, 4u, 9u}) {
    std::vector<std::atomic<int>> runs(100);
    parallel_tasks(runs.size(), threads, [&](std::size_t i) { ++runs[i]; });
    for (const auto& count : runs) EXPECT_EQ(count, 1);
  }
  parallel_tasks(0, 4, [](std::size_t) { FAIL(); });
}

TEST(ParallelTasks, UsesSeveralThreadsButNoMoreThanAsked) {
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  parallel_tasks(12, 3, [&](std::size_t) {
    const int now = ++running;
    int seen = most;
    while (seen < now && !most.compare_exchange_weak(seen, now)) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    --running;
  });
  EXPECT_LE(most, 3);
  EXPECT_GE(most, 2);
}

TEST(ParallelTasks, RethrowsTheFirstFailureByNumber) {
  for (const std::size_t threads : {1u, 4u}) {
    try {
      // Both fail, the later one sooner.
      parallel_tasks(2, threads, [](std::size_t i) {
        if (i == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        throw std::runtime_error("task " + std::to_string(i));
      });
      FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "task 0");
    }
  }
}

TEST(ParallelTasks, LeavesOutTasksAfterAFailure) {
  std::atomic<int> begun = 0;
  EXPECT_THROW(parallel_tasks(1000, 1,
                              [&](std::size_t i) {
                                ++begun;
                                if (i == 3) throw std::runtime_error("stop");
                              }),
               std::runtime_error);
  EXPECT_EQ(begun, 4);
}

TEST(ThreadCount, ZeroMeansOneACore) {
  EXPECT_EQ(thread_count(3), 3u);
  EXPECT_GE(thread_count(0), 1u);
}

}  // namespace
}  // namespace polyad
