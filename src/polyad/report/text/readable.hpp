#pragma once
// A model as people read it: unit columns and signs resolved, every component at its place; and what tables of it are made from.

#include <polyad/model.hpp>
#include <polyad/report.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace polyad {

struct ReadableModel {
  KTensor model;
  bool nonnegative = true;     ///< then columns sum to 1 (entries are shares), else they have Euclidean norm 1
  std::vector<double> shares;  ///< of the sum of the model over all cells, one per component; empty unless nonnegative
};

/// Works on a copy; entries and weights that are not finite count as 0. Weights become the sizes of components (component_sizes).
ReadableModel readable(const KTensor& model);

/// The size of component j, with what it is: "sum 4510, 42 % of the total" or "norm 12.3".
std::string size_text(const ReadableModel& shown, std::size_t j);

/// A magnitude in few characters: "0.0312", "12.3", "4510", "1.2e+09".
std::string short_number(double value);
/// A share as a percentage: "0.3 %", "42 %".
std::string percent(double share);

/// Indices of the `count` largest entries by magnitude, largest first, ties in order; zeros are left out.
std::vector<std::size_t> top_entries(const std::vector<double>& column, std::size_t count);
/// Column j of a mode.
std::vector<double> column_of(const KTensor& model, std::size_t mode, std::size_t j);

struct ShowRange {
  std::size_t begin = 0, end = 0;
};
/// Which components the options of `show` ask for. Checks options and labels against the model.
ShowRange show_range(const KTensor& model, const Labels& labels, const ShowOptions& options);

}  // namespace polyad
