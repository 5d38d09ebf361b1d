#pragma once
// Which components the options of `show` ask for.

#include <polyad/report.hpp>

#include <cstddef>

namespace polyad {

struct ShowRange {
  std::size_t begin = 0, end = 0;
};

/// Checks options and labels against the model.
ShowRange show_range(const KTensor& model, const Labels& labels, const ShowOptions& options);

}  // namespace polyad
