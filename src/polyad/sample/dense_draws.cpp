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
  const std::size_t end = first + count_;
  const double scale = cells() / static_cast<double>(count_);
  // A drawn cell is seldom in a cache: while the values of one block are read, those of the next are on their way.
  constexpr std::size_t block = 32;
  std::array<std::array<std::uint64_t, block>, 2> places;
  const auto ask_for = [&](std::size_t begin, std::array<std::uint64_t, block>& cell) {
    const std::size_t n = std::min(block, end - begin);
    tensor_->positions(batch.index, begin, n, cell.data());
    for (std::size_t t = 0; t < n; ++t) __builtin_prefetch(tensor_->values().data() + cell[t]);
  };
  if (first < end) ask_for(first, places[0]);
  for (std::size_t begin = first, b = 0; begin < end; begin += block, b ^= 1) {
    if (begin + block < end) ask_for(begin + block, places[b ^ 1]);
    const std::size_t n = std::min(block, end - begin);
    for (std::size_t t = 0; t < n; ++t) {
      batch.x[begin + t] = tensor_->value(places[b][t]);
      batch.w[begin + t] = scale * tensor_->weight(places[b][t]);
    }
  }
}

}  // namespace polyad
