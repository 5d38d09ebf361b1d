#include <polyad/sample/partition.hpp>

#include <polyad/tensor/group_records.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace polyad {

namespace {

constexpr std::uint64_t samples_per_part = 500;
// A sample touches one row per mode; a part's copy of the shared modes is cleared and added up once per iteration.
constexpr std::uint64_t samples_per_shared_row = 4;

}  // namespace

std::uint64_t default_parts(const IndexSpace& space, std::uint64_t samples, std::uint64_t smallest_stratum) {
  const std::uint64_t largest = space.extent(largest_mode(space));
  const std::uint64_t shared = std::max<std::uint64_t>(1, space.sum_of_extents() - largest);
  std::uint64_t wanted = samples / samples_per_part;
  const std::uint64_t most = samples_per_shared_row * samples / shared;
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

namespace {

Box box_of(const IndexSpace& space, const Partition& partition, std::size_t part) {
  Box box = Box::whole(space);
  box.low[partition.mode] = partition.bounds[part];
  box.extent[partition.mode] = partition.bounds[part + 1] - partition.bounds[part];
  return box;
}

std::size_t part_of(const Partition& partition, Index index) {
  const auto after = std::upper_bound(partition.bounds.begin(), partition.bounds.end(), index);
  return static_cast<std::size_t>(after - partition.bounds.begin()) - 1;
}

// Missing cells of a dense tensor, by part.
std::vector<double> missing_cells(const DenseTensor& tensor, const Partition& partition) {
  std::vector<double> missing(partition.parts(), 0.0);
  if (tensor.observed() == tensor.cells()) return missing;
  // Runs of cells that share the index of the partition's mode lie together.
  std::uint64_t run = 1;
  for (std::size_t k = partition.mode + 1; k < tensor.space().modes(); ++k) run *= tensor.space().extent(k);
  const std::uint64_t extent = tensor.space().extent(partition.mode);
  for (std::uint64_t first = 0; first < tensor.cells(); first += run) {
    double here = 0;
    for (std::uint64_t cell = first; cell < first + run; ++cell) here += tensor.missing(cell) ? 1 : 0;
    missing[part_of(partition, static_cast<Index>(first / run % extent))] += here;
  }
  return missing;
}

std::vector<double> missing_cells(const SparseTensor& tensor, const Partition& partition) {
  std::vector<double> missing(partition.parts(), 0.0);
  for (std::size_t r = 0; r < tensor.missing_cells(); ++r) {
    missing[part_of(partition, tensor.missing().index(r)[partition.mode])] += 1;
  }
  return missing;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> missing_by_part(const SparseTensor& tensor, const Partition& partition) {
  std::vector<std::vector<std::uint32_t>> numbers(partition.parts());
  for (std::size_t r = 0; r < tensor.missing_cells(); ++r) {
    numbers[part_of(partition, tensor.missing().index(r)[partition.mode])].push_back(static_cast<std::uint32_t>(r));
  }
  return numbers;
}

std::vector<PartCount> count_parts(const Tensor& tensor, const Partition& partition) {
  const SparseTensor* sparse = tensor.sparse();
  const std::vector<double> missing =
      sparse != nullptr ? missing_cells(*sparse, partition) : missing_cells(*tensor.dense(), partition);
  std::vector<PartCount> counts;
  for (std::size_t l = 0; l < partition.parts(); ++l) {
    PartCount count;
    count.box = box_of(tensor.space(), partition, l);
    count.observed = count.box.cells() - missing[l];
    if (sparse != nullptr) {
      count.records = sparse->records_in(partition.bounds[l], partition.bounds[l + 1]);
      count.listed = static_cast<double>(count.records.second - count.records.first);
      count.zeros = sparse->unlisted() == Unlisted::zero ? count.observed - count.listed : 0;
    }
    counts.push_back(std::move(count));
  }
  return counts;
}

}  // namespace polyad
