#pragma once
// Looks at a tensor as its file states it, for what is likely to be a mistake.

#include <polyad/io/open.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace polyad {

/// One kind of thing that was found.
struct Finding {
  std::string kind;  ///< "duplicates", "explicit-zeros", "not-finite", "negative", "empty-slices", "base"
  std::uint64_t count = 0;
  std::string text;                   ///< one line for people, without the examples
  std::vector<std::string> examples;  ///< a few
  bool fixable = false;               ///< a clean copy would differ
};

struct Inspection {
  std::vector<Finding> findings;
  Tensor tensor;  ///< clean: duplicates summed, explicit zeros and values that are not finite left out
  Remarks remarks;
};

/// Reads and inspects; throws where the file cannot be read at all.
Inspection inspect_file(const std::string& path, const ReadOptions& options);

}  // namespace polyad
