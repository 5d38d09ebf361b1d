#include <polyad/sample/part_counts.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

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

// Missing cells of a dense tensor, a part each.
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
