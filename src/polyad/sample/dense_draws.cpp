#include <polyad/sample/dense_draws.hpp>
#include <polyad/sample/oversample.hpp>
#include <polyad/sample/rejection.hpp>

#include <algorithm>
#include <array>

namespace polyad {

DenseDraws::DenseDraws(const DenseTensor& tensor, std::size_t count)
    : DenseDraws(tensor, Box::whole(tensor.space()), ValueRange{}, tensor.observed(), count) {}

DenseDraws::DenseDraws(const DenseTensor& tensor, const Box& box, const ValueRange& values, std::uint64_t cells,
                       std::size_t count)
    : tensor_(&tensor), values_(values), cells_(cells), count_(count), drawer_(box) {
  const double acceptance = static_cast<double>(cells) / box.cells();
  const bool all_observed = cells == tensor.observed();
  from_list_ = acceptance < least_acceptance || (all_observed && !tensor.observed_list().empty());
  all_admitted_ = static_cast<double>(cells) == box.cells();
  if (!from_list_) {
    candidates_ = candidates_for_zeros(count, acceptance);
  } else if (!all_observed || tensor.observed_list().empty()) {
    for_each_cell(box, [&](const Index* index) {
      const std::uint64_t cell = tensor.position({index, box.modes()});
      if (values.contains(tensor.value(cell))) list_.push_back(cell);
    });
  }
}

void DenseDraws::fill_cells(const DrawKey& key, std::size_t first, Batch& batch) const {
  const std::size_t d = batch.modes();
  if (from_list_) {
    const std::span<const std::uint64_t> cells = list_.empty() ? tensor_->observed_list() : list_;
    std::vector<std::uint64_t> number(count_);
    draw_numbers(key, first, count_, cells.size(), number.data());
    std::array<Index, max_modes> index{};
    for (std::size_t t = 0; t < count_; ++t) {
      tensor_->index_of(cells[number[t]], {index.data(), d});
      for (std::size_t k = 0; k < d; ++k) batch.index[k][first + t] = index[k];
    }
  } else if (all_admitted_) {
    drawer_.draw(key, {first, count_}, 0, count_, batch, first);
  } else {
    fill_admitted(
        drawer_, key, {first, count_}, candidates_,
        [&](const Index* const* index, std::size_t begin, std::size_t n, std::uint8_t* admitted) {
          std::array<Index, max_modes> cell{};
          for (std::size_t t = 0; t < n; ++t) {
            for (std::size_t k = 0; k < d; ++k) cell[k] = index[k][begin + t];
            admitted[t] = values_.contains(tensor_->value(tensor_->position({cell.data(), d}))) ? 1 : 0;
          }
        },
        batch);
  }
}

void DenseDraws::fill(const DrawKey& key, std::size_t first, Batch& batch) const {
  fill_cells(key, first, batch);
  const double scale = cells() / static_cast<double>(count_);
  // A drawn cell is seldom in a cache: ask for a block of them first, so that the waits overlap.
  constexpr std::size_t block = 64;
  std::array<std::uint64_t, block> cell{};
  std::array<Index, max_modes> index{};
  const double* values = tensor_->values().data();
  for (std::size_t begin = first; begin < first + count_; begin += block) {
    const std::size_t n = std::min(block, first + count_ - begin);
    for (std::size_t t = 0; t < n; ++t) {
      for (std::size_t k = 0; k < batch.modes(); ++k) index[k] = batch.index[k][begin + t];
      cell[t] = tensor_->position({index.data(), batch.modes()});
      __builtin_prefetch(values + cell[t]);
    }
    for (std::size_t t = 0; t < n; ++t) {
      batch.x[begin + t] = tensor_->value(cell[t]);
      batch.w[begin + t] = scale * tensor_->weight(cell[t]);
    }
  }
}

}  // namespace polyad
