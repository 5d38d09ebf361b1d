#include <polyad/sample/draws/zero_draws.hpp>

#include <polyad/sample/draws/rejection.hpp>

#include <algorithm>
#include <array>

namespace polyad {

namespace {

double records_within(const Records& records, const Box& box) {
  std::size_t n = 0;
  for (std::size_t r = 0; r < records.size(); ++r) n += box.contains(records.index(r)) ? 1 : 0;
  return static_cast<double>(n);
}

void refuse_missing(const SparseTensor& tensor, const Index* const* index, std::size_t first, std::size_t n,
                    std::uint8_t* admitted) {
  std::array<Index, max_modes> cell{};
  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t k = 0; k < tensor.space().modes(); ++k) cell[k] = index[k][first + t];
    if (tensor.is_missing(cell.data())) admitted[t] = 0;
  }
}

// What may be drawn: one cell at a time, or many at once as rejection.hpp asks.
struct IsZero {
  const SparseTensor& tensor;
  bool operator()(const Index* index) const { return !tensor.is_listed(index) && !tensor.is_missing(index); }
  void operator()(const Index* const* index, std::size_t first, std::size_t n, std::uint8_t* admitted) const {
    flag_zeros(tensor, index, first, n, admitted);
  }
};

struct IsObserved {
  const SparseTensor& tensor;
  bool operator()(const Index* index) const { return !tensor.is_missing(index); }
  void operator()(const Index* const* index, std::size_t first, std::size_t n, std::uint8_t* admitted) const {
    std::fill_n(admitted, n, std::uint8_t{1});
    refuse_missing(tensor, index, first, n, admitted);
  }
};

}  // namespace

void flag_zeros(const SparseTensor& tensor, const Index* const* index, std::size_t first, std::size_t n,
                std::uint8_t* zero) {
  tensor.listed_flags(index, first, n, zero);
  for (std::size_t t = 0; t < n; ++t) zero[t] ^= 1;
  if (tensor.missing_cells() > 0) refuse_missing(tensor, index, first, n, zero);
}

double zeros_within(const SparseTensor& tensor, const Box& box) {
  return box.cells() - records_within(tensor.records(), box) - records_within(tensor.missing(), box);
}

ZeroDraws::ZeroDraws(const SparseTensor& tensor, Admit admit, std::size_t count)
    : ZeroDraws(tensor, Box::whole(tensor.space()), admit, admit == Admit::zeros ? tensor.zeros() : tensor.observed(),
                count) {}

ZeroDraws::ZeroDraws(const SparseTensor& tensor, const Box& box, Admit admit, double cells, std::size_t count)
    : tensor_(&tensor), admit_(admit), cells_(cells), count_(count), drawer_(box) {
  const double acceptance = std::min(1.0, cells / box.cells());
  if (acceptance >= least_acceptance) {
    candidates_ = candidates_for_zeros(count, acceptance);
    return;
  }
  const auto list_where = [&](const auto& admits) {
    for_each_cell(box, [&](const Index* index) {
      if (admits(index)) list_.insert(list_.end(), index, index + box.modes());
    });
  };
  if (admit == Admit::zeros) {
    list_where(IsZero{tensor});
  } else {
    list_where(IsObserved{tensor});
  }
}

void ZeroDraws::fill_cells(const DrawKey& key, std::size_t first, Batch& batch) const {
  const Slots slots{first, count_};
  if (!list_.empty()) {
    const std::size_t d = batch.modes();
    std::vector<std::uint64_t> number(count_);
    draw_numbers(key, first, count_, list_.size() / d, number.data());
    for (std::size_t t = 0; t < count_; ++t) {
      const Index* index = list_.data() + number[t] * d;
      for (std::size_t k = 0; k < d; ++k) batch.index[k][first + t] = index[k];
    }
  } else if (admit_ == Admit::zeros) {
    fill_admitted(drawer_, key, slots, candidates_, IsZero{*tensor_}, batch);
  } else if (tensor_->missing_cells() > 0) {
    fill_admitted(drawer_, key, slots, candidates_, IsObserved{*tensor_}, batch);
  } else {
    drawer_.draw(key, slots, 0, count_, batch, first);
  }
}

void ZeroDraws::fill(const DrawKey& key, std::size_t first, Batch& batch) const {
  fill_cells(key, first, batch);
  const double weight = cells_ / static_cast<double>(count_) * tensor_->zero_weight();
  std::fill_n(batch.x.begin() + first, count_, 0.0);
  std::fill_n(batch.w.begin() + first, count_, weight);
  if (!batch.w0.empty()) std::fill_n(batch.w0.begin() + first, count_, 0.0);
}

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
