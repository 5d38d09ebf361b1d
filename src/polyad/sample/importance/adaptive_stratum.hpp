#pragma once
// What the two strata of `importance`, listed records and cells, have in common.

#include <polyad/options/sampling.hpp>
#include <polyad/sample/draws_sampler.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace polyad {

/// A stratum as uniform draws see it; all that does not change while a fit runs.
struct AdaptiveStratum {
  const Tensor* tensor = nullptr;
  ImportanceOptions options;
  std::size_t mode = 0;                ///< divided into parts
  std::vector<PartCount> parts;        ///< boxes and records
  std::vector<double> sizes;           ///< cells or records of the stratum in each part
  std::vector<std::uint64_t> samples;  ///< uniform draws from each part
  double correction = 0;               ///< v, where zeros are summed exactly

  std::uint64_t all_samples() const { return std::accumulate(samples.begin(), samples.end(), std::uint64_t{0}); }
  /// Samples of each part where it has this mass (its share of the gradient, as the density sees it): in proportion, but for
  /// the uniform share, which follows the sizes as uniform draws do and so keeps weights bounded.
  std::vector<std::uint64_t> samples_by(const std::vector<double>& masses) const;
};

/// The second moment of the gradient by uniform draws over that by those which follow the model.
struct Gain {
  double uniform = 0;
  double followed = 0;
  bool at_least(double factor) const { return uniform > factor * followed; }
};

inline std::vector<std::uint64_t> AdaptiveStratum::samples_by(const std::vector<double>& masses) const {
  const double size = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  const double mass = std::accumulate(masses.begin(), masses.end(), 0.0);
  const double uniform = mass > 0 ? options.uniform_share : 1.0;
  std::vector<double> shares(sizes.size(), 0.0);
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    if (sizes[l] == 0) continue;
    shares[l] = uniform * sizes[l] / size;
    if (mass > 0) shares[l] += (1 - uniform) * masses[l] / mass;
  }
  return shares_of(all_samples(), shares, "each stratum");
}

}  // namespace polyad
