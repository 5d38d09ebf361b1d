#include <polyad/solve/rows/replay_cells.hpp>

#include <polyad/base/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace polyad {

namespace {

// Draws an index by running sums.
std::size_t index_at(const std::vector<double>& sums, double u) {
  const auto found = std::upper_bound(sums.begin(), sums.end(), u * sums.back());
  return std::min(static_cast<std::size_t>(found - sums.begin()), sums.size() - 1);
}

double probability(const std::vector<double>& sums, std::size_t i) {
  return (sums[i] - (i == 0 ? 0.0 : sums[i - 1])) / sums.back();
}

// The densities of a mode's indices: by each component's strengths, and without them.
struct ModeDensity {
  std::vector<std::vector<double>> by_component;
  std::vector<double> plain;

  ModeDensity(const Factors& model, std::size_t mode, std::span<const double> weights) : by_component(model.rank()) {
    double all = 0;
    std::vector<double> sums(model.rank(), 0.0);
    for (std::size_t i = 0; i < model.rows(mode); ++i) {
      const double w = weights.empty() ? 1.0 : weights[i];
      plain.push_back(all += w);
      for (std::size_t j = 0; j < model.rank(); ++j) {
        by_component[j].push_back(sums[j] += w * std::abs(model.at(mode, i, j)));
      }
    }
  }
};

}  // namespace

ReplayCells::ReplayCells(const Factors& old, const ReplayRequest& request)
    : old_(old), mode_(request.mode), index_(old.modes()) {
  double cells = 1;
  for (std::size_t k = 0; k < old.modes(); ++k) cells *= k == mode_ ? 1.0 : static_cast<double>(old.rows(k));
  if (cells <= static_cast<double>(request.cells)) {
    take_all(request);
  } else {
    draw(request);
  }
  old_products_ = products(old);
}

void ReplayCells::take_all(const ReplayRequest& request) {
  std::array<Index, max_modes> at{};
  for (bool more = true; more;) {
    for (std::size_t k = 0; k < old_.modes(); ++k) index_[k].push_back(at[k]);
    weights_.push_back(mode_ == request.slices ? 1.0 : request.slice_weights[at[request.slices]]);
    more = false;
    for (std::size_t k = old_.modes(); k-- > 0 && !more;) {
      if (k == mode_) continue;
      more = ++at[k] < old_.rows(k);
      if (!more) at[k] = 0;
    }
  }
}

void ReplayCells::draw(const ReplayRequest& request) {
  const std::size_t d = old_.modes();
  const std::size_t r = old_.rank();
  std::vector<ModeDensity> density;
  for (std::size_t k = 0; k < d; ++k) {
    density.emplace_back(old_, k, k == request.slices ? request.slice_weights : std::span<const double>{});
  }
  std::vector<std::size_t> alive;
  for (std::size_t j = 0; j < r; ++j) {
    bool any = true;
    for (std::size_t k = 0; k < d; ++k) any = any && (k == mode_ || density[k].by_component[j].back() > 0);
    if (any) alive.push_back(j);
  }
  const double from_components = alive.empty() ? 0.0 : 0.5;
  Generator random{RandomStream(request.seed, Purpose::estimate, mode_)};
  std::array<Index, max_modes> at{};
  for (std::uint64_t n = 0; n < request.cells; ++n) {
    const bool by_component = random.unit() < from_components;
    const auto pick = static_cast<std::size_t>(random.unit() * static_cast<double>(alive.size()));
    double plain = 1;
    for (std::size_t k = 0; k < d; ++k) {
      at[k] = 0;
      if (k == mode_) continue;
      const double u = random.unit();
      const ModeDensity& of = density[k];
      at[k] = static_cast<Index>(
          index_at(by_component ? of.by_component[alive[std::min(pick, alive.size() - 1)]] : of.plain, u));
      plain *= probability(of.plain, at[k]);
    }
    double mixed = 0;
    for (const std::size_t j : alive) {
      double p = 1;
      for (std::size_t k = 0; k < d; ++k) p *= k == mode_ ? 1.0 : probability(density[k].by_component[j], at[k]);
      mixed += p / static_cast<double>(alive.size());
    }
    const double q = from_components * mixed + (1 - from_components) * plain;
    const double v = mode_ == request.slices ? 1.0 : request.slice_weights[at[request.slices]];
    // A density that rounding made 0 belongs to a cell that was drawn by mistake.
    if (!(q > 0)) continue;
    for (std::size_t k = 0; k < d; ++k) index_[k].push_back(at[k]);
    weights_.push_back(v / (static_cast<double>(request.cells) * q));
  }
}

AlignedVector<double> ReplayCells::products(const Factors& model) const {
  const std::size_t stride = model.stride();
  AlignedVector<double> pi(size() * stride, 0.0);
  for (std::size_t q = 0; q < size(); ++q) {
    double* const row = pi.data() + q * stride;
    std::fill_n(row, model.rank(), 1.0);
    for (std::size_t k = 0; k < model.modes(); ++k) {
      if (k == mode_) continue;
      const double* const factor = model.row(k, index_[k][q]);
      for (std::size_t j = 0; j < model.rank(); ++j) row[j] *= factor[j];
    }
  }
  return pi;
}

}  // namespace polyad
