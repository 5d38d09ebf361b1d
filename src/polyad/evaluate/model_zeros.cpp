#include <polyad/base/rng.hpp>
#include <polyad/evaluate/judged_cells.hpp>
#include <polyad/kernel/batch_objective.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polyad {

namespace {

constexpr std::size_t most_numbers = 50'000'000;  // running sums are as long as the model

/// Positions drawn in proportion to nonnegative numbers.
class Lottery {
 public:
  template <class Weight>
  Lottery(std::size_t n, const Weight& weight) : until_(n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) until_[i] = sum += weight(i);
  }
  double total() const { return until_.empty() ? 0 : until_.back(); }
  std::size_t draw(Generator& random) const {
    const double at = random.unit() * total();
    const auto found = std::upper_bound(until_.begin(), until_.end(), at);
    return std::min(static_cast<std::size_t>(found - until_.begin()), until_.size() - 1);
  }

 private:
  std::vector<double> until_;
};

/// Cells in proportion to the model.
class ModelDraws {
 public:
  explicit ModelDraws(const Factors& model) : columns_(model.rank()), components_(0, [](std::size_t) { return 0.0; }) {
    std::vector<double> sums(model.rank(), 1.0);
    for (std::size_t j = 0; j < model.rank(); ++j) {
      for (std::size_t k = 0; k < model.modes(); ++k) {
        columns_[j].emplace_back(model.rows(k), [&](std::size_t i) { return model.at(k, i, j); });
        sums[j] *= columns_[j].back().total();
      }
    }
    components_ = Lottery(sums.size(), [&](std::size_t j) { return sums[j]; });
  }
  double sum() const { return components_.total(); }
  void draw(Generator& random, std::vector<Index>& index) const {
    const std::size_t j = components_.draw(random);
    for (std::size_t k = 0; k < index.size(); ++k) index[k] = static_cast<Index>(columns_[j][k].draw(random));
  }

 private:
  std::vector<std::vector<Lottery>> columns_;  // by component and mode
  Lottery components_;
};

}  // namespace

bool some_zeros_drawn(const Batch& batch, const Tensor& tensor) {
  return tensor.is_sparse() && static_cast<double>(batch.size() - batch.zeros_from) < tensor.sparse()->zeros();
}

Batch with_zeros_of_model(const Factors& model, const Batch& batch, const Tensor& tensor, std::uint64_t seed) {
  const std::size_t uniform = batch.size() - batch.zeros_from;
  const auto flat = model.flat();
  if (uniform == 0 || !some_zeros_drawn(batch, tensor) || flat.size() > most_numbers ||
      !std::all_of(flat.begin(), flat.end(), [](double a) { return a >= 0; })) {
    return batch;
  }
  const SparseTensor& sparse = *tensor.sparse();
  const ModelDraws draws(model);
  if (!(draws.sum() > 0) || !std::isfinite(draws.sum())) return batch;

  Batch more;
  more.resize(batch.modes(), 0, false);
  std::vector<Index> index(batch.modes());
  Generator random(RandomStream(seed, Purpose::estimate, 1));
  for (std::size_t n = 0; n < uniform; ++n) {
    draws.draw(random, index);
    if (sparse.is_listed(index.data()) || sparse.is_missing(index.data())) continue;
    for (std::size_t k = 0; k < index.size(); ++k) more.index[k].push_back(index[k]);
    more.x.push_back(0);
    more.w.push_back(0);
  }
  Batch out = batch;
  append(more, out);
  out.zeros_from = batch.zeros_from;
  const std::vector<double> m = model_values(model, out);
  const auto each = static_cast<double>(uniform);
  for (std::size_t t = out.zeros_from; t < out.size(); ++t) {
    out.w[t] = sparse.zero_weight() / (each / sparse.zeros() + each * m[t] / draws.sum());
  }
  return out;
}

}  // namespace polyad
