#include <polyad/io/build.hpp>
#include <polyad/io/raw_tensor.hpp>
#include <polyad/io/remarks.hpp>

namespace polyad {
namespace {

SparseTensor build_raw_sparse(RawTensor& raw, const ReadOptions& options, Remarks* remarks) {
  const bool missing = raw.unlisted == Unlisted::missing || options.unlisted == Unlisted::missing;
  if (missing) {
    remark(remarks, "unlisted cells are missing{}", raw.unlisted == Unlisted::missing ? " (the file says so)" : "");
  }
  SparseTensor sparse =
      build_sparse(raw.space, std::move(*raw.entries), missing ? Unlisted::missing : Unlisted::zero, options, remarks);
  BuildReport report;
  if (raw.missing) {
    sparse.set_missing(*raw.missing, &report);
    remark(remarks, "{} {} missing", sparse.missing_cells(), sparse.missing_cells() == 1 ? "cell is" : "cells are");
  }
  if (!missing) sparse.set_zero_weight(raw.zero_weight);
  remark_on_build(remarks, report);
  return sparse;
}

}  // namespace

Tensor build(RawTensor raw, const ReadOptions& options, Remarks* remarks) {
  if (raw.entries) {
    if (options.base) remark(remarks, "--base has no effect: the file states its indices exactly");
    return {build_raw_sparse(raw, options, remarks), std::move(raw.labels)};
  }
  DenseTensor dense = build_dense(raw.space, std::move(raw.values), options, remarks);
  if (!raw.weights.empty()) dense.set_weights(std::move(raw.weights));
  return {std::move(dense), std::move(raw.labels)};
}

}  // namespace polyad
