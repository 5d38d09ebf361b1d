#include <polyad/sample/draws/every_cell.hpp>
#include <polyad/sample/draws/listed_draws.hpp>
#include <polyad/sample/strata/box.hpp>

namespace polyad {

namespace {

void put_cell(const Index* index, double x, double w, std::size_t slot, Batch& batch) {
  for (std::size_t k = 0; k < batch.modes(); ++k) batch.index[k][slot] = index[k];
  batch.x[slot] = x;
  batch.w[slot] = w;
}

}  // namespace

std::size_t put_every_observed(const DenseTensor& tensor, std::size_t first, Batch& batch) {
  std::uint64_t cell = 0;
  for_each_cell(Box::whole(tensor.space()), [&](const Index* index) {
    if (!tensor.missing(cell)) put_cell(index, tensor.value(cell), tensor.weight(cell), first++, batch);
    ++cell;
  });
  return first;
}

std::size_t put_every_listed(const SparseTensor& tensor, std::size_t first, Batch& batch) {
  for (std::uint64_t r = 0; r < tensor.listed(); ++r) put_records(tensor.records(), {&r, 1}, 1.0, first++, batch);
  return first;
}

std::size_t put_every_zero(const SparseTensor& tensor, std::size_t first, Batch& batch) {
  for_each_cell(Box::whole(tensor.space()), [&](const Index* index) {
    if (tensor.is_listed(index) || tensor.is_missing(index)) return;
    put_cell(index, 0.0, tensor.zero_weight(), first++, batch);
  });
  return first;
}

}  // namespace polyad
