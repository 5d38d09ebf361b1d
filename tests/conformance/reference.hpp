#pragma once
// Model values, objective and gradient of a batch by plain loops over its definition (batch.hpp): slow, obvious, and
// independent of the kernels.

#include <polyad/kernel/batch.hpp>
#include <polyad/loss.hpp>

#include <sample/tensor_cases.hpp>
#include <vector>

namespace polyad::test {

/// factor[k][i][j]
using PlainModel = std::vector<std::vector<std::vector<double>>>;

/// The objective, then all gradients: mode by mode, row by row.
class Reference {
 public:
  Reference(PlainModel model, const Loss& loss) : model_(std::move(model)), loss_(loss), rank_(model_[0][0].size()) {
    std::size_t at = 1;
    for (const auto& factor : model_) {
      begin_.push_back(at);
      at += factor.size() * rank_;
    }
    size_ = at;
    std::vector<std::uint64_t> extents;
    for (const auto& factor : model_) extents.push_back(factor.size());
    zeros_.assign(size_, 0.0);
    if (loss.info().zero_sum == ZeroSum::none) return;
    for (const auto& index : all_cells(IndexSpace(extents))) add(index, 0.0, 1.0, zeros_);
  }

  std::vector<double> of(const std::vector<Cell>& cells) const {
    std::vector<double> result(size_, 0.0);
    for (const Cell& cell : cells) add(cell.index, cell.x, cell.w, result);
    return result;
  }

  std::vector<double> operator()(const Batch& batch) const {
    std::vector<double> result(size_);
    for (std::size_t i = 0; i < size_; ++i) result[i] = batch.all_cells * zeros_[i];
    std::vector<Index> index(batch.modes());
    for (std::size_t t = 0; t < batch.size(); ++t) {
      for (std::size_t k = 0; k < batch.modes(); ++k) index[k] = batch.index[k][t];
      add(index, batch.x[t], batch.w[t], result);
      if (!batch.w0.empty() && batch.w0[t] != 0) add(index, 0.0, batch.w0[t], result);
    }
    return result;
  }

 private:
  void add(const std::vector<Index>& index, double x, double w, std::vector<double>& result) const {
    double m = 0;
    for (std::size_t j = 0; j < rank_; ++j) m += product(index, j, index.size());
    result[0] += w * loss_.value(x, m);
    const double y = w * loss_.derivative(x, m);
    for (std::size_t k = 0; k < index.size(); ++k) {
      for (std::size_t j = 0; j < rank_; ++j) result[begin_[k] + index[k] * rank_ + j] += y * product(index, j, k);
    }
  }
  /// Over all modes but `left_out`.
  double product(const std::vector<Index>& index, std::size_t j, std::size_t left_out) const {
    double p = 1;
    for (std::size_t k = 0; k < index.size(); ++k) {
      if (k != left_out) p *= model_[k][index[k]][j];
    }
    return p;
  }

  PlainModel model_;
  const Loss& loss_;
  std::size_t rank_;
  std::vector<std::size_t> begin_;
  std::size_t size_ = 0;
  std::vector<double> zeros_;
};

/// Positive entries, different for every component.
inline PlainModel some_model(const IndexSpace& space, std::size_t rank, std::uint64_t seed) {
  Generator random(RandomStream(seed, Purpose::problem));
  PlainModel model;
  for (const std::uint64_t n : space.extents()) {
    model.emplace_back(n, std::vector<double>(rank));
    for (auto& row : model.back()) {
      for (double& a : row) a = 0.3 + random.unit();
    }
  }
  return model;
}

}  // namespace polyad::test
