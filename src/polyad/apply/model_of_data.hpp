#pragma once
// A model and data in the same index space, so that the one can be judged by the other: data joined by label, and rows for labels
// that the model does not know.

#include <polyad/apply/join.hpp>
#include <polyad/files.hpp>

#include <cstdint>
#include <string>

namespace polyad {

struct ModelOfData {
  KTensor model;  ///< weights 1
  Tensor tensor;  ///< of the same shape, with the labels of both
  Remarks remarks;
};

/// Labels that the model knows keep its rows. Where labels of one mode are new, or `mode` names one, that mode has the data's indices
/// alone, and rows of new labels are found from the data (transform.hpp). Without new labels all of the model's labels stay, and
/// those that sparse data lack count as zeros; a remark says so.
ModelOfData model_of_data(const ModelFile& file, Tensor data, const JoinOptions& options, const std::string& loss,
                          std::uint64_t threads);

}  // namespace polyad
