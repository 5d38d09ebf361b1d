#include <polyad/sample/importance/adaptive_cells.hpp>

#include <polyad/sample/draws/rejection.hpp>
#include <polyad/sample/draws/zero_draws.hpp>
#include <polyad/sample/importance/cell_sums.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace polyad {

namespace {

// By how much the second moment must fall for draws that cost more to pay.
constexpr double least_gain_of_cells = 1.3;

constexpr std::size_t probed_cells = 2048;

// At least this share of the candidates is taken to be kept: it bounds their number.
constexpr double least_kept = 0.5;

// Positions of the cells from `first` on, with their values on the way to a cache.
std::vector<std::uint64_t> positions_of(const DenseTensor& tensor, const Batch& batch, std::size_t first) {
  std::vector<std::uint64_t> cells(batch.size() - first);
  tensor.positions(batch.index, first, cells.size(), cells.data());
  for (const std::uint64_t cell : cells) __builtin_prefetch(tensor.values().data() + cell);
  return cells;
}

// Leaves the cells from `first` on that are not admitted out of the batch.
void keep_cells(const std::vector<std::uint8_t>& admitted, std::size_t first, Batch& batch) {
  std::size_t size = first;
  for (auto& mode : batch.index) {
    size = first + keep_admitted(admitted.data(), admitted.size(), mode.data() + first);
    mode.resize(size);
  }
  batch.x.resize(size);
  batch.w.resize(size);
  if (!batch.w0.empty()) batch.w0.resize(size);
}

}  // namespace

std::vector<double> AdaptiveCells::keep_zeros(const SparseTensor& tensor, std::size_t part, std::size_t first,
                                              Batch& batch) const {
  std::array<const Index*, max_modes> index{};
  for (std::size_t k = 0; k < batch.modes(); ++k) index[k] = batch.index[k].data();
  std::vector<std::uint8_t> admitted(batch.size() - first);
  flag_zeros(tensor, index.data(), first, admitted.size(), admitted.data());
  keep_cells(admitted, first, batch);
  const auto begin = static_cast<std::ptrdiff_t>(first);
  std::fill(batch.x.begin() + begin, batch.x.end(), 0.0);
  std::fill(batch.w.begin() + begin, batch.w.end(), tensor.zero_weight());
  return densities(part, first, batch);
}

// The densities are computed while the values are on their way.
std::vector<double> AdaptiveCells::keep_observed(const DenseTensor& tensor, std::size_t part, std::size_t first,
                                                 Batch& batch) const {
  std::vector<std::uint64_t> cells = positions_of(tensor, batch, first);
  if (tensor.observed() < tensor.cells()) {
    std::vector<std::uint8_t> admitted(cells.size());
    for (std::size_t t = 0; t < cells.size(); ++t) admitted[t] = tensor.missing(cells[t]) ? 0 : 1;
    keep_cells(admitted, first, batch);
    std::erase_if(cells, [&](std::uint64_t cell) { return tensor.missing(cell); });
  }
  std::vector<double> q = densities(part, first, batch);
  for (std::size_t t = 0; t < cells.size(); ++t) {
    batch.x[first + t] = tensor.value(cells[t]);
    batch.w[first + t] = tensor.weight(cells[t]);
  }
  return q;
}

std::vector<double> AdaptiveCells::densities(std::size_t part, std::size_t first, const Batch& batch) const {
  std::vector<double> q(batch.size() - first);
  density_.densities(part, batch, first, q.size(), q.data());
  return q;
}

void AdaptiveCells::fill(const DrawKey& key, std::size_t first, Batch& batch) const {
  const std::uint64_t n = candidates_[key.part];
  density_.draw(key, first, n, batch);
  const SparseTensor* sparse = tensor_->sparse();
  const std::vector<double> q = sparse != nullptr ? keep_zeros(*sparse, key.part, first, batch)
                                                  : keep_observed(*tensor_->dense(), key.part, first, batch);
  for (std::size_t t = 0; t < q.size(); ++t) batch.w[first + t] /= static_cast<double>(n) * q[t];
  if (!batch.w0.empty()) std::fill(batch.w0.begin() + static_cast<std::ptrdiff_t>(first), batch.w0.end(), 0.0);
}

AdaptiveCells::AdaptiveCells(const AdaptiveStratum& stratum, const Factors& model, std::size_t threads)
    : tensor_(stratum.tensor),
      density_(model, stratum.mode, stratum.parts, stratum.options.uniform_share, threads),
      kept_(stratum.parts.size(), 1.0) {}

void AdaptiveCells::choose_counts(const AdaptiveStratum& stratum) {
  std::vector<double> masses;
  for (std::size_t l = 0; l < stratum.parts.size(); ++l) masses.push_back(density_.mass(l));
  candidates_ = stratum.samples_by(masses);
  for (std::size_t l = 0; l < candidates_.size(); ++l) {
    const double wanted = static_cast<double>(candidates_[l]) / std::max(least_kept, kept_[l]);
    candidates_[l] = static_cast<std::uint64_t>(std::ceil(wanted));
  }
}

// Draws some cells of every part: what share is kept, and what q does to the second moment. With h the size of the gradient at a
// cell, E[norm^2] of n draws is sum h^2 / q / n, and (cells / n) sum h^2 for uniform ones; from draws by q, both sums have the
// expectations of means, of h^2 / q^2 and of h^2 / q.
Gain AdaptiveCells::probe(const AdaptiveStratum& stratum, const Factors& model, const Loss& loss) {
  const RandomStream stream(1, Purpose::estimate, 1);  // the estimate itself has the start 0
  const std::size_t filled = static_cast<std::size_t>(
      std::count_if(stratum.sizes.begin(), stratum.sizes.end(), [](double size) { return size > 0; }));
  const std::size_t n = std::max<std::size_t>(64, probed_cells / filled);
  const CellSums sums = cell_sums(model.modes(), model.stride());
  std::vector<double> with_q(stratum.sizes.size());
  std::vector<double> with_one(stratum.sizes.size());
  Batch batch;
  candidates_.assign(stratum.sizes.size(), n);
  for (std::size_t l = 0; l < stratum.sizes.size(); ++l) {
    if (stratum.sizes[l] == 0) continue;
    batch.resize(model.modes(), n, false);
    fill({stream, 0, static_cast<std::uint32_t>(l)}, 0, batch);
    kept_[l] = static_cast<double>(batch.size()) / static_cast<double>(n);
    std::vector<double> m(batch.size());
    std::vector<double> squares(batch.size());
    std::vector<double> q(batch.size());
    sums.sizes(CellRows(model, batch), 0, batch.size(), m.data(), squares.data());
    loss.derivatives(batch.size(), batch.x.data(), m.data(), m.data());
    density_.densities(l, batch, 0, batch.size(), q.data());
    for (std::size_t t = 0; t < batch.size(); ++t) {
      // w = w_i / (n q), so this is h^2 / (n q)^2.
      const double square = m[t] * m[t] * squares[t] * batch.w[t] * batch.w[t];
      if (!std::isfinite(square)) continue;
      with_q[l] += square * static_cast<double>(n);
      with_one[l] += square * static_cast<double>(n) * q[t];
    }
  }
  choose_counts(stratum);
  Gain gain;
  for (std::size_t l = 0; l < stratum.sizes.size(); ++l) {
    if (stratum.sizes[l] == 0) continue;
    gain.followed += with_q[l] / static_cast<double>(candidates_[l]);
    gain.uniform += with_one[l] * stratum.sizes[l] / static_cast<double>(stratum.samples[l]);
  }
  return gain;
}

std::shared_ptr<const AdaptiveCells> AdaptiveCells::make(const AdaptiveStratum& stratum, const Factors& model,
                                                         const Loss& loss, std::size_t threads) {
  const std::shared_ptr<AdaptiveCells> result(new AdaptiveCells(stratum, model, threads));
  const Gain gain = result->probe(stratum, model, loss);
  return gain.at_least(least_gain_of_cells) || !stratum.options.adaptive ? result : nullptr;
}

std::shared_ptr<const AdaptiveCells> AdaptiveCells::remade(const AdaptiveStratum& stratum, const Factors& model,
                                                           std::size_t threads) const {
  const std::shared_ptr<AdaptiveCells> result(new AdaptiveCells(stratum, model, threads));
  result->kept_ = kept_;
  result->choose_counts(stratum);
  return result;
}

bool cells_can_follow(const AdaptiveStratum& stratum) {
  for (std::size_t l = 0; l < stratum.sizes.size(); ++l) {
    if (stratum.sizes[l] < least_acceptance * stratum.parts[l].box.cells() && stratum.sizes[l] > 0) return false;
  }
  const DenseTensor* dense = stratum.tensor->dense();
  return dense == nullptr || dense->observed_list().empty();
}

}  // namespace polyad
