// L-BFGS-B leaves the BLAS of the process as it was. This program plays an OpenBLAS of eight threads: its functions are found
// before those of a library.

#include <polyad/optim/lbfgsb.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace {

std::atomic<int> blas_threads = 8;
std::atomic<int> times_set = 0;
std::atomic<int> set_while_evaluating = 0;
thread_local bool evaluating = false;

}  // namespace

extern "C" [[gnu::visibility("default")]] int openblas_get_num_threads() {
  return blas_threads;
}
extern "C" [[gnu::visibility("default")]] void openblas_set_num_threads(int count) {
  blas_threads = count;
  ++times_set;
  if (evaluating) ++set_while_evaluating;
}

namespace polyad {
namespace {

// (x - 3)^2 over ten parameters; `seen` gets the number of threads during evaluations.
void minimise(std::vector<int>& seen) {
  std::vector<double> x(10, 0.0);
  const std::vector<double> lower(10, -1e30), upper(10, 1e30);
  minimize_lbfgsb(
      x, lower, upper, {},
      [&](std::span<const double> at, double& f, std::span<double> g) {
        evaluating = true;
        seen.push_back(blas_threads);
        f = 0;
        for (std::size_t i = 0; i < at.size(); ++i) {
          f += (at[i] - 3) * (at[i] - 3);
          g[i] = 2 * (at[i] - 3);
        }
        evaluating = false;
        return true;
      },
      [](const LbfgsbIteration&) { return true; });
  for (const double value : x) EXPECT_NEAR(value, 3, 1e-6);
}

TEST(BlasThreads, AreOneOnlyWhileTheLibraryRuns) {
  ASSERT_EQ(blas_threads, 8);
  std::vector<int> seen;
  minimise(seen);
  EXPECT_GT(times_set, 0);  // it was asked for one thread
  EXPECT_EQ(blas_threads, 8);
  for (const int threads : seen) EXPECT_EQ(threads, 8);  // the caller's own work has all of them
  EXPECT_EQ(set_while_evaluating, 0);
}

TEST(BlasThreads, AreRestoredByTheLastOfSeveral) {
  std::vector<std::thread> fits;
  std::vector<std::vector<int>> seen(4);
  for (std::size_t t = 0; t < seen.size(); ++t) fits.emplace_back([&, t] { minimise(seen[t]); });
  for (std::thread& fit : fits) fit.join();
  EXPECT_EQ(blas_threads, 8);
}

}  // namespace
}  // namespace polyad
