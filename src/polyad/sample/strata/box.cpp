#include <polyad/sample/strata/box.hpp>

namespace polyad {

Box Box::whole(const IndexSpace& space) {
  return {std::vector<Index>(space.modes(), 0), {space.extents().begin(), space.extents().end()}};
}

double Box::cells() const {
  double product = 1;
  for (const std::uint64_t n : extent) product *= static_cast<double>(n);
  return product;
}

bool Box::overlaps(const Box& other) const {
  for (std::size_t k = 0; k < modes(); ++k) {
    if (low[k] + extent[k] <= other.low[k] || other.low[k] + other.extent[k] <= low[k]) return false;
  }
  return true;
}

}  // namespace polyad
