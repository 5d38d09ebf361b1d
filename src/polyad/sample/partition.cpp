#include <polyad/sample/partition.hpp>

#include <polyad/tensor/group_records.hpp>

#include <algorithm>
#include <bit>

namespace polyad {

namespace {

constexpr std::uint64_t samples_a_part = 500;
// A sample touches one row a mode; a part's copy of the shared modes is cleared and added up once an iteration.
constexpr std::uint64_t samples_a_shared_row = 4;

}  // namespace

std::uint64_t default_parts(const IndexSpace& space, std::uint64_t samples, std::uint64_t smallest_stratum) {
  const std::uint64_t largest = space.extent(largest_mode(space));
  const std::uint64_t shared = std::max<std::uint64_t>(1, space.sum_of_extents() - largest);
  std::uint64_t wanted = samples / samples_a_part;
  const std::uint64_t most = samples_a_shared_row * samples / shared;
  // Few, then: as a power of two they are equal shares for as many threads as that.
  if (most < wanted) wanted = std::bit_floor(most);
  return std::clamp<std::uint64_t>(std::min({wanted, smallest_stratum, largest}), 1, max_parts);
}

Partition make_partition(const Tensor& tensor, std::uint64_t parts, double p, double q) {
  Partition partition;
  partition.mode = largest_mode(tensor.space());
  const std::uint64_t extent = tensor.space().extent(partition.mode);
  const SparseTensor* sparse = tensor.sparse();
  const double eta = sparse != nullptr ? static_cast<double>(sparse->listed()) : 0;
  // Work of the indices below `end`.
  const auto work = [&](std::uint64_t end) {
    double sum = q * static_cast<double>(end) / static_cast<double>(extent);
    if (eta > 0) sum += p * static_cast<double>(sparse->records_in(0, static_cast<Index>(end)).second) / eta;
    return sum;
  };
  const double all = work(extent);
  partition.bounds.push_back(0);
  for (std::uint64_t l = 1; l < std::min(parts, extent); ++l) {
    // The index whose work is nearest from above, leaving at least one index to every part to come.
    const double target = all * static_cast<double>(l) / static_cast<double>(parts);
    std::uint64_t low = partition.bounds.back() + std::uint64_t{1};
    std::uint64_t high = extent - (std::min(parts, extent) - l);
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (work(middle) < target) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    partition.bounds.push_back(static_cast<Index>(low));
  }
  partition.bounds.push_back(static_cast<Index>(extent));
  return partition;
}

}  // namespace polyad
