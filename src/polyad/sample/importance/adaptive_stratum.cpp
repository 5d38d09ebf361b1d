#include <polyad/sample/importance/adaptive_stratum.hpp>

#include <polyad/sample/parted_sampler.hpp>

namespace polyad {

std::vector<std::uint64_t> AdaptiveStratum::samples_by(const std::vector<double>& masses) const {
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
