#include <polyad/kernel/dense_gradient.hpp>

#include <polyad/kernel/every_cell_pass.hpp>
#include <polyad/kernel/tail_blocks.hpp>

#include <array>

namespace polyad {

namespace {

// Four partial sums: the order of additions is fixed and the compiler can keep them in one vector.
double block_sum(std::size_t count, const double* f) {
  std::array<double, 4> sums{};
  std::size_t t = 0;
  for (; t + 4 <= count; t += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += f[t + lane];
  }
  for (; t < count; ++t) sums[0] += f[t];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

double dense_gradient(const Factors& model, const CellSource& source, const Loss& loss, std::size_t threads,
                      Factors& gradient) {
  CellRule rule;
  rule.apply = [&loss](const CellRun& run, std::size_t count, const double* m, double* y) {
    alignas(cache_line) std::array<double, tail_cells> f;
    loss.values(count, run.x, m, f.data());
    loss.derivatives(count, run.x, m, y);
    if (run.w != nullptr) {
      // Chosen, not multiplied: the loss of a missing cell may be infinite.
      for (std::size_t t = 0; t < count; ++t) {
        f[t] = run.w[t] > 0 ? run.w[t] * f[t] : 0.0;
        y[t] = run.w[t] > 0 ? run.w[t] * y[t] : 0.0;
      }
    }
    return block_sum(count, f.data());
  };
  return every_cell_pass(model, source, rule, threads, gradient);
}

}  // namespace polyad
