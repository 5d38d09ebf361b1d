#pragma once
// Data as people have them: a file, and what else is to be known about it (labels, weights, missing cells). The command line
// and every other front end offer these options under these names.

#include <polyad/fields.hpp>
#include <polyad/tensor.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace polyad {

/// Whether data are mapped into memory instead of read, where their file allows it (polyad's HDF5, .npy of doubles in C order):
/// where they are over 256 MB, always, or never.
enum class Mapping { automatic, always, never };
constexpr std::array<std::string_view, 3> words_of(Mapping) {
  return {"auto", "always", "never"};
}

/// What the last field of a line of a .tns file is: the value, or one more index of a cell whose value is 1.
enum class ValueColumn { last, ones };
constexpr std::array<std::string_view, 2> words_of(ValueColumn) {
  return {"last", "ones"};
}

struct DataOptions {
  std::optional<int> base;
  std::optional<ValueColumn> values;
  std::string variable;
  std::string shape;
  std::vector<std::string> labels;
  std::string mode_names;
  Unlisted unlisted = Unlisted::zero;
  Mapping mapping = Mapping::automatic;
  std::optional<double> unpacked_limit;
  std::string missing;
  std::string weights;
  std::optional<double> zero_weight;

  static auto fields() {
    using O = DataOptions;
    return std::tuple{
        field("base", &O::base, "index base of a .tns file; auto: detected and stated", within(0, 1)).shown_as("0|1"),
        field("values", &O::values,
              "what the last field of a line of a .tns file is: its value (last), or one more index, of a cell of "
              "value 1 "
              "(ones); auto: its value, but asks where it looks like an index"),
        field("variable", &O::variable, "which array or struct of a .mat or .npz file that holds several")
            .shown_as("NAME"),
        field("shape", &O::shape, "dimensions such as 200x150x100; otherwise from the file").shown_as("SHAPE"),
        field("labels", &O::labels, "file with the labels of a mode, one per line; the mode by name or number")
            .shown_as("MODE=FILE"),
        field("mode-names", &O::mode_names, "names of the modes, comma-separated: day,hour,area,type")
            .shown_as("NAMES"),
        field("unlisted", &O::unlisted, "whether cells that a sparse file does not list are zero or missing"),
        field("memory-map", &O::mapping,
              "map a polyad .h5 or a .npy of f8 instead of reading it; auto: where it is over 256 MB"),
        field("unpacked-limit", &O::unpacked_limit,
              "GB that a compressed file (.gz, .zst, .npz) may unpack to; auto: 200 times its size, or 0.256 (.npz: 4) "
              "where that is more",
              above(0)),
        field("missing", &O::missing, "cells that are missing: a .tns file whose indices count").shown_as("FILE"),
        field("weights", &O::weights,
              "weights of entries: .npy of the data's shape; for sparse data .tns with a weight per cell (0: missing)")
            .shown_as("FILE"),
        field("zero-weight", &O::zero_weight, "weight of every unlisted zero (sparse data); auto: 1"),
    };
  }
};

}  // namespace polyad
