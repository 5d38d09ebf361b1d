#pragma once
// Data as people have them: a file, and what else is to be known about it (labels, weights, missing cells). The command line
// and every other front end offer these options under these names.

#include <polyad/base/fields.hpp>
#include <polyad/io/open.hpp>
#include <polyad/tensor/tensor.hpp>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace polyad {

struct DataOptions {
  std::optional<int> base;
  std::string variable;
  std::string shape;
  std::vector<std::string> labels;
  std::string mode_names;
  Unlisted unlisted = Unlisted::zero;
  Mapping mapping = Mapping::automatic;
  std::string missing;
  std::string weights;
  std::optional<double> zero_weight;

  static auto fields() {
    using O = DataOptions;
    return std::tuple{
        field("base", &O::base, "index base of a .tns file; auto: detected and stated", within(0, 1)).shown_as("0|1"),
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
        field("missing", &O::missing, "cells that are missing: a .tns file whose indices count").shown_as("FILE"),
        field("weights", &O::weights,
              "weights of entries: .npy of the data's shape; for sparse data .tns with a weight per cell (0: missing)")
            .shown_as("FILE"),
        field("zero-weight", &O::zero_weight, "weight of every unlisted zero (sparse data); auto: 1"),
    };
  }
};

/// How the file itself is to be read.
ReadOptions read_options(const DataOptions& options);

/// Gives the tensor the labels and mode names of the options.
void apply_labels(const DataOptions& options, Tensor& tensor);

struct OpenedData {
  Tensor tensor;     ///< with labels, weights and missing cells
  Records held_out;  ///< cells declared missing that the file has values for
  Remarks remarks;   ///< what was found and decided, for people
};

/// Reads the tensor and everything that the options add to it.
OpenedData open_data(const std::string& path, const DataOptions& options = {});

/// New data for a model with these labels (from the file `model_path`): as `open_data`; a table (.csv, .tsv, also .gz or .zst) is
/// imported in the way that the model's own data were.
OpenedData open_new_data(const std::string& path, const DataOptions& options, const Labels& model_labels,
                         const std::string& model_path);

}  // namespace polyad
