#pragma once
// Which mode and which index of the data is which of the model's: the decisions of a join (join.hpp), without touching a cell.

#include <polyad/apply/join.hpp>

namespace polyad {

struct MatchedMode {
  std::size_t data_mode = 0;        ///< of the data
  std::vector<Index> joined_index;  ///< by index of the data; no_row: left out
  std::vector<Index> model_row;     ///< by joined index; no_row: new
  std::uint64_t extent = 0;         ///< joined
  ModeLabels labels;                ///< joined
};

struct LabelMatch {
  std::vector<MatchedMode> modes;  ///< in the model's order
  std::optional<std::size_t> free_mode;
  Remarks remarks;
};

LabelMatch match_labels(const ModelSpace& model, const Tensor& data, NewLabels where, const JoinOptions& options);

/// The model's modes in which the data have labels that it does not know; modes without labels on both sides have none.
std::vector<std::size_t> modes_with_new_labels(const ModelSpace& model, const Tensor& data);

/// "'a', 'b', 'c' and 12 more"
std::string some_labels(const std::vector<std::string>& labels);

}  // namespace polyad
