#include <polyad/sample/draws/dense_draws.hpp>
#include <polyad/sample/draws/rejection.hpp>

#include <algorithm>
#include <array>

namespace polyad {

namespace {

// Below this chance of being admitted, cells are listed: each of 8 tries a draw would wait for memory, and the list needs at
// most one value's worth of it in 8.
constexpr double least_acceptance_of_dense = 1.0 / 8;

// Calls body(t, cell) for the samples from `first` on, in order. A drawn cell is seldom in a cache: while the values of one
// block are looked at, those of the next are on their way.
template <class Body>
void for_each_fetched(const DenseTensor& tensor, const Batch& batch, std::size_t first, std::size_t count,
                      const Body& body) {
  constexpr std::size_t block = 32;
  std::array<std::array<std::uint64_t, block>, 2> places;
  const std::size_t end = first + count;
  const auto ask_for = [&](std::size_t begin, std::array<std::uint64_t, block>& cell) {
    const std::size_t n = std::min(block, end - begin);
    tensor.positions(batch.index, begin, n, cell.data());
    for (std::size_t t = 0; t < n; ++t) __builtin_prefetch(tensor.values().data() + cell[t]);
  };
  if (first < end) ask_for(first, places[0]);
  for (std::size_t begin = first, b = 0; begin < end; begin += block, b ^= 1) {
    if (begin + block < end) ask_for(begin + block, places[b ^ 1]);
    const std::size_t n = std::min(block, end - begin);
    for (std::size_t t = 0; t < n; ++t) body(begin + t, places[b][t]);
  }
}

}  // namespace

DenseDraws::DenseDraws(const DenseTensor& tensor, std::size_t count)
    : DenseDraws(tensor, Box::whole(tensor.space()), ValueRange{}, tensor.observed(), count) {}

DenseDraws::DenseDraws(const DenseTensor& tensor, const Box& box, const ValueRange& values, std::uint64_t cells,
                       std::size_t count)
    : tensor_(&tensor), values_(values), cells_(cells), count_(count), drawer_(box) {
  const double acceptance = static_cast<double>(cells) / box.cells();
  const bool all_observed = cells == tensor.observed();
  from_list_ = acceptance < least_acceptance_of_dense || (all_observed && !tensor.observed_list().empty());
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
    for (const std::uint64_t n : number) __builtin_prefetch(cells.data() + n);
    for (std::size_t t = 0; t < count_; ++t) {
      tensor_->index_of(cells[number[t]], {index.data(), d});
      for (std::size_t k = 0; k < d; ++k) batch.index[k][first + t] = index[k];
    }
  } else if (all_admitted_) {
    drawer_.draw(key, {first, count_}, 0, count_, batch, first);
  } else {
    fill_admitted(
        drawer_, key, {first, count_}, candidates_,
        [&](const Index* const*, std::size_t begin, std::size_t n, std::uint8_t* admitted) {
          for_each_fetched(*tensor_, batch, begin, n, [&](std::size_t t, std::uint64_t cell) {
            admitted[t - begin] = values_.contains(tensor_->value(cell)) ? 1 : 0;
          });
        },
        batch);
  }
}

void DenseDraws::fill(const DrawKey& key, std::size_t first, Batch& batch) const {
  fill_cells(key, first, batch);
  const double scale = cells() / static_cast<double>(count_);
  for_each_fetched(*tensor_, batch, first, count_, [&](std::size_t t, std::uint64_t cell) {
    batch.x[t] = tensor_->value(cell);
    batch.w[t] = scale * tensor_->weight(cell);
  });
}

}  // namespace polyad
