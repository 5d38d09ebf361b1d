#include <polyad/evaluate/judged_cells.hpp>

#include <polyad/detail/aligned.hpp>
#include <polyad/kernel/sampled_blocks.hpp>

#include <algorithm>
#include <array>

namespace polyad {

std::vector<double> model_values(const Factors& model, const Batch& batch) {
  const BlockKernels<double> kernels = block_kernels<double>(model.modes(), model.stride());
  const CellRowsOf<double> rows(model, batch);
  alignas(cache_line) std::array<double, block_cells> block;
  std::vector<double> m(batch.size());
  for (std::size_t first = 0; first < batch.size(); first += block_cells) {
    const std::size_t count = std::min(block_cells, batch.size() - first);
    kernels.model(rows, first, count, block.data());
    std::copy_n(block.begin(), count, m.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return m;
}

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
