#include <polyad/evaluate/judged_cells.hpp>

#include <polyad/kernel/batch_objective.hpp>

namespace polyad {

JudgedCells judge(const Factors& model, const Batch& batch, const Loss& loss, double null_value, LeastLoss& least) {
  const std::size_t n = batch.size();
  JudgedCells cells;
  cells.m = model_values(model, batch);
  cells.expected.resize(n);
  cells.loss.resize(n);
  cells.null_loss.resize(n);
  cells.best_loss.resize(n);
  const std::vector<double> constant(n, null_value);
  loss.values(n, batch.x.data(), cells.m.data(), cells.loss.data());
  loss.values(n, batch.x.data(), constant.data(), cells.null_loss.data());
  least.values(n, batch.x.data(), cells.best_loss.data());
  expected_values(loss, n, cells.m.data(), cells.expected.data());
  return cells;
}

}  // namespace polyad
