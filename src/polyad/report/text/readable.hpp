#pragma once
// A model as people read it: unit columns, signs resolved, largest component first.

#include <polyad/model.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace polyad {

struct ReadableModel {
  KTensor model;
  bool nonnegative = true;     ///< then columns sum to 1 (entries are shares), else they have Euclidean norm 1
  std::vector<double> shares;  ///< of the sum of the model over all cells, one a component; empty unless nonnegative
  std::vector<std::size_t> original;  ///< where each component stood in the model given
};

/// Works on a copy; entries and weights that are not finite count as 0.
ReadableModel readable(const KTensor& model);

/// A magnitude in few characters: "0.0312", "12.3", "4510", "1.2e+09".
std::string short_number(double value);
/// A share as a percentage: "0.3 %", "42 %".
std::string percent(double share);

}  // namespace polyad
