#pragma once
// The division of a fit's samples into parts that can be drawn and scattered at the same time: ranges of the indices of the
// largest mode. Rows of that mode belong to one part alone; the (small) other modes are shared. Each part is a stratum in
// the paper's sense, with its own fixed number of samples, so that a batch stays unbiased.
//
// The number of parts is a function of the problem, not of the machine: results do not depend on the number of threads.

#include <polyad/sample/draws/box.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace polyad {

struct Partition {
  std::size_t mode = 0;
  std::vector<Index> bounds;  ///< part l has the indices bounds[l] .. bounds[l + 1] - 1

  std::size_t parts() const { return bounds.size() - 1; }
};

/// Upper limit for the number of parts.
inline constexpr std::uint64_t max_parts = 64;

/// About one part for 500 samples; fewer, and a power of two, where the shared modes are so large that adding up a copy of
/// their gradient per part would cost more than drawing. `samples` is the smaller number of samples of those strata that are divided.
std::uint64_t default_parts(const IndexSpace& space, std::uint64_t samples, std::uint64_t smallest_stratum);

/// `parts` ranges (no more than there are indices) with about the same work each: listed entries and cells are drawn in
/// the proportion p to q.
Partition make_partition(const Tensor& tensor, std::uint64_t parts, double p, double q);

/// What there is to draw from in a part: the sizes of its strata, exactly.
struct PartCount {
  Box box;
  std::pair<std::size_t, std::size_t> records;  ///< its listed records, from .. to
  double listed = 0;
  double observed = 0;  ///< cells that are not missing
  double zeros = 0;     ///< observed cells that are not listed
};

/// The missing cells of a sparse tensor by part, as positions in its list of them.
std::vector<std::vector<std::uint32_t>> missing_by_part(const SparseTensor& tensor, const Partition& partition);

/// O(1) per part, but for missing cells: each is looked at once.
std::vector<PartCount> count_parts(const Tensor& tensor, const Partition& partition);

}  // namespace polyad
