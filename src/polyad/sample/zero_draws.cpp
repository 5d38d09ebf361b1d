#include <polyad/sample/oversample.hpp>
#include <polyad/sample/rejection.hpp>
#include <polyad/sample/zero_draws.hpp>

#include <algorithm>

namespace polyad {

namespace {

double records_within(const Records& records, const Box& box) {
  std::size_t n = 0;
  for (std::size_t r = 0; r < records.size(); ++r) n += box.contains(records.index(r)) ? 1 : 0;
  return static_cast<double>(n);
}

struct IsZero {
  const SparseTensor& tensor;
  void prefetch(const Index* index) const { tensor.prefetch(index); }
  bool operator()(const Index* index) const { return !tensor.is_listed(index) && !tensor.is_missing(index); }
};

struct IsObserved {
  const SparseTensor& tensor;
  bool operator()(const Index* index) const { return !tensor.is_missing(index); }
};

}  // namespace

double zeros_within(const SparseTensor& tensor, const Box& box) {
  return box.cells() - records_within(tensor.records(), box) - records_within(tensor.missing(), box);
}

ZeroDraws::ZeroDraws(const SparseTensor& tensor, Admit admit, std::size_t count)
    : ZeroDraws(tensor, Box::whole(tensor.space()), admit, admit == Admit::zeros ? tensor.zeros() : tensor.observed(),
                count) {}

ZeroDraws::ZeroDraws(const SparseTensor& tensor, const Box& box, double zeros, std::size_t count)
    : ZeroDraws(tensor, box, Admit::zeros, zeros, count) {}

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
    for (std::size_t t = first; t < first + count_; ++t) {
      const Index* index = list_.data() + draw_number(key, t, list_.size() / d) * d;
      for (std::size_t k = 0; k < d; ++k) batch.index[k][t] = index[k];
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

}  // namespace polyad
