#include <polyad/sample/draws/cell_draws.hpp>

#include <array>

namespace polyad {

CellDraws::CellDraws(const SparseTensor& tensor, const Box& box, double cells, std::size_t count)
    : tensor_(&tensor), draws_(tensor, box, Admit::observed, cells, count) {}

void CellDraws::fill(const DrawKey& key, std::size_t first, Batch& batch) const {
  draws_.fill_cells(key, first, batch);
  const double omega_over_s = cells() / static_cast<double>(count());
  const Records& records = tensor_->records();
  std::array<Index, max_modes> index{};
  for (std::size_t t = first; t < first + count(); ++t) {
    for (std::size_t k = 0; k < batch.modes(); ++k) index[k] = batch.index[k][t];
    const std::uint32_t record = tensor_->find(index.data());
    const bool listed = record != CellSet::absent;
    batch.x[t] = listed ? records.value(record) : 0.0;
    batch.w[t] = omega_over_s * (listed ? records.weight(record) : tensor_->zero_weight());
  }
}

}  // namespace polyad
