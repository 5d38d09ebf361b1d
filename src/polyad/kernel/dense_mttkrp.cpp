#include <polyad/kernel/dense_mttkrp.hpp>

#include <polyad/kernel/cell_pass.hpp>

#include <algorithm>

namespace polyad {

void dense_mttkrp(const Factors& model, const CellSource& source, std::size_t mode, std::size_t threads, Factors& out) {
  CellRule rule;
  rule.with_model = false;
  rule.only_mode = mode;
  rule.apply = [](const CellRun& run, std::size_t count, const double*, double* y) {
    if (run.w == nullptr) {
      std::copy_n(run.x, count, y);
    } else {
      for (std::size_t t = 0; t < count; ++t) y[t] = run.w[t] * run.x[t];
    }
    return 0.0;
  };
  cell_pass(model, source, rule, threads, out);
}

}  // namespace polyad
