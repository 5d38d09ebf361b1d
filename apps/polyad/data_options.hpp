#pragma once
// Options on how a data file is to be read, shared by every command that reads tensors.

#include "polyad/parser.hpp"

#include <polyad/io/open.hpp>
#include <polyad/tensor/tensor.hpp>

#include <optional>
#include <string>
#include <vector>

namespace polyad::cli {

struct DataOptions {
  std::string path;
  std::optional<int> base;
  std::string shape;
  std::vector<std::string> labels;  // MODE=FILE
  std::string mode_names;           // in order, comma-separated
  Unlisted unlisted = Unlisted::zero;
  std::string missing;
  std::string weights;
  std::optional<double> zero_weight;
  std::string variable;
  Mapping mapping = Mapping::automatic;

  void add_file_to(Command& command);
  void add_options_to(Command& command);
  /// How the file itself is to be read.
  ReadOptions read_options() const;
  /// Gives the tensor the labels and mode names of the command line.
  void apply_labels_to(Tensor& tensor) const;
  /// Reads the tensor with labels, weights and missing cells; tells what it found on standard error unless `quiet`.
  /// `held_out`, where given, gets the cells declared missing that the file has values for.
  Tensor read(bool quiet, Records* held_out = nullptr) const;
};

/// "5713 x 24 x 77 x 32, 5,325,328 nonzeros (1.58 % of 337,838,592 cells)"
std::string describe(const Tensor& tensor);

}  // namespace polyad::cli
