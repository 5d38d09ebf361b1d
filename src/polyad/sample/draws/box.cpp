#include <polyad/sample/draws/box.hpp>

#include <polyad/sample/samplers.hpp>

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>

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

namespace {

using Integer = boost::multiprecision::cpp_int;

/// Product of the extents of the modes from `mode` on.
Integer volume(std::span<const std::uint64_t> extents, std::size_t mode) {
  Integer product = 1;
  for (std::size_t k = mode; k < extents.size(); ++k) product *= extents[k];
  return product;
}

Integer covered(const std::vector<const Box*>& boxes, std::size_t mode) {
  Integer sum = 0;
  for (const Box* box : boxes) sum += volume(box->extent, mode);
  return sum;
}

/// Digit by digit: exact however large.
std::string decimal(Integer n) {
  std::string digits;
  for (; n > 0; n /= 10) digits.push_back(static_cast<char>('0' + static_cast<int>(n % 10)));
  std::reverse(digits.begin(), digits.end());
  return with_separators(digits);
}

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> find_overlap(std::span<const Box> boxes) {
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    for (std::size_t b = a + 1; b < boxes.size(); ++b) {
      if (boxes[a].overlaps(boxes[b])) return std::pair{a, b};
    }
  }
  return std::nullopt;
}

std::optional<Gap> find_gap(const IndexSpace& space, std::span<const Box> boxes) {
  std::vector<const Box*> here;
  for (const Box& box : boxes) here.push_back(&box);
  const Integer missing = volume(space.extents(), 0) - covered(here, 0);
  if (missing == 0) return std::nullopt;

  // Fix one index after another. The boxes that contain the indices fixed so far are disjoint in the
  // remaining modes, so volumes tell whether they fill them. Which boxes contain an index changes only where
  // one begins or ends.
  Gap gap{decimal(missing), {}};
  for (std::size_t k = 0; k < space.modes(); ++k) {
    std::vector<std::uint64_t> cuts = {0};
    for (const Box* box : here) {
      cuts.push_back(box->low[k]);
      cuts.push_back(box->low[k] + box->extent[k]);
    }
    std::sort(cuts.begin(), cuts.end());
    for (const std::uint64_t at : cuts) {
      if (at >= space.extent(k)) continue;
      std::vector<const Box*> around;
      for (const Box* box : here) {
        if (box->low[k] <= at && at < box->low[k] + box->extent[k]) around.push_back(box);
      }
      if (covered(around, k + 1) == volume(space.extents(), k + 1)) continue;
      gap.example.push_back(static_cast<Index>(at));
      here = std::move(around);
      break;
    }
  }
  return gap;
}

}  // namespace polyad
