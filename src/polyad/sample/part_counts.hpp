#pragma once
// What there is to draw from in each part of a partition: the sizes of its strata, exactly.

#include <polyad/sample/partition.hpp>
#include <polyad/sample/strata/box.hpp>

#include <utility>
#include <vector>

namespace polyad {

struct PartCount {
  Box box;
  std::pair<std::size_t, std::size_t> records;  ///< its listed records, from .. to
  double listed = 0;
  double observed = 0;  ///< cells that are not missing
  double zeros = 0;     ///< observed cells that are not listed
};

/// O(1) a part, but for missing cells: each is looked at once.
std::vector<PartCount> count_parts(const Tensor& tensor, const Partition& partition);

}  // namespace polyad
