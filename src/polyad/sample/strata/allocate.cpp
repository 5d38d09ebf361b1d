#include <polyad/sample/strata/allocate.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polyad {

std::vector<std::uint64_t> divide_samples(std::uint64_t total, std::span<const double> sizes) {
  std::vector<std::uint64_t> share(sizes.size(), 0);
  std::vector<std::size_t> open(sizes.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  const auto quota = [&](std::size_t l, double all) { return sizes[l] / all * static_cast<double>(total); };
  const auto open_size = [&] {
    return std::accumulate(open.begin(), open.end(), 0.0, [&](double sum, std::size_t l) { return sum + sizes[l]; });
  };

  // Each round settles strata whose quota is below one; the others' quotas shrink, so look again until none
  // is.
  for (bool settled = true; settled;) {
    const double all = open_size();
    const auto small =
        std::stable_partition(open.begin(), open.end(), [&](std::size_t l) { return quota(l, all) >= 1; });
    settled = small != open.end();
    for (auto at = small; at != open.end(); ++at) {
      share[*at] = 1;
      --total;
    }
    open.erase(small, open.end());
  }

  const double all = open_size();
  std::vector<std::pair<double, std::size_t>> remainders;
  std::uint64_t left = total;
  for (const std::size_t l : open) {
    const double exact = quota(l, all);
    share[l] = std::min(left, static_cast<std::uint64_t>(exact));
    left -= share[l];
    remainders.emplace_back(-(exact - std::floor(exact)), l);
  }
  std::sort(remainders.begin(), remainders.end());
  for (std::size_t i = 0; left > 0; ++i, --left) ++share[remainders[i % remainders.size()].second];
  return share;
}

}  // namespace polyad
