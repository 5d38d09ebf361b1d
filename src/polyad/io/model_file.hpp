#pragma once
// Model files: HDF5, one file a fit. Schema (docs/formats.md):
//   /                       attributes format = "polyad", version = 1, kind = "model"
//   /model/weights          r
//   /model/factors/1 .. d   n_k x r
//   /labels/1 .. d          attribute name; dataset entries (UTF-8 strings); absent where unlabelled
//   /options                attribute json: the options as used
//   /trace/1 .. s           one table a start: epoch, seconds, estimate, rate, accepted
//   /summary                attribute json: loss, seed, estimates, why it stopped, times
//   /diagnostics            attribute json: how well the model fits (evaluate/diagnose.hpp); absent where not computed
//   /diagnostics/slices/1 .. d   n_k x 5: columns as in SliceFit

#include <polyad/base/json_value.hpp>
#include <polyad/io/open.hpp>
#include <polyad/model.hpp>
#include <polyad/tensor.hpp>

#include <string>
#include <vector>

namespace polyad {

/// How well the cells of one slice (one index of one mode) are fitted: sums over its observed cells, with their weights.
struct SliceFit {
  double loss = 0;       ///< of the model
  double null_loss = 0;  ///< of the best constant
  double best_loss = 0;  ///< where the model would equal the data
  double observed = 0;   ///< data
  double expected = 0;   ///< what the model expects

  friend bool operator==(const SliceFit&, const SliceFit&) = default;
};

struct ModelFile {
  KTensor model;
  Labels labels;
  Json options = Json::object();
  Json summary = Json::object();
  std::vector<Trace> traces;  ///< one a start
  Json diagnostics = Json::object();
  std::vector<std::vector<SliceFit>> slices;  ///< by mode and index; empty where not computed
};

/// Complete or absent: temp file, fsync, rename. Labels without modes are the same as labels that name
/// nothing.
/// The format is told by the extension: .npz, .mat, .csv, Tensor Toolbox text (.ktensor, .txt), otherwise
/// polyad's HDF5, which alone keeps options, summary and traces.
void write_model(const std::string& path, const ModelFile& file, const WriteOptions& options = {});
/// The labels always have the model's modes. A data error where the file is no model says what it is instead.
ModelFile read_model(const std::string& path);

}  // namespace polyad
