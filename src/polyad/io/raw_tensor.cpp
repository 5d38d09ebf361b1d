#include <polyad/base/error.hpp>
#include <polyad/io/build.hpp>
#include <polyad/io/raw_tensor.hpp>
#include <polyad/io/remarks.hpp>

#include <cmath>

namespace polyad {
namespace {

SparseTensor build_raw_sparse(RawTensor& raw, const ReadOptions& options, Remarks* remarks) {
  const bool missing = raw.unlisted == Unlisted::missing || options.unlisted == Unlisted::missing;
  if (missing) {
    remark(remarks, "unlisted cells are missing{}", raw.unlisted == Unlisted::missing ? " (the file says so)" : "");
  }
  const std::size_t entries = raw.entries->size();
  SparseTensor sparse =
      build_sparse(raw.space, std::move(*raw.entries), missing ? Unlisted::missing : Unlisted::zero, options, remarks);
  BuildReport report;
  if (raw.missing) {
    sparse.set_missing(*raw.missing, &report);
    remark(remarks, "{} {} missing", sparse.missing_cells(), sparse.missing_cells() == 1 ? "cell is" : "cells are");
  }
  if (!(raw.zero_weight >= 0 && std::isfinite(raw.zero_weight))) {
    fail(ErrorKind::data, "attribute zero_weight must be finite and at least 0 (is {})", raw.zero_weight);
  }
  if (!missing) sparse.set_zero_weight(raw.zero_weight);
  remark_on_build(remarks, report);
  if (raw.facts) {
    // Entries of a mapped file are not compared with a checksum.
    if (sparse.listed() != entries) fail(ErrorKind::data, "the file is damaged: cells repeat; use another copy");
    if (sparse.unlisted() == raw.unlisted) sparse.set_facts(*raw.facts);
  }
  return sparse;
}

DenseTensor build_raw_dense(RawTensor& raw, const ReadOptions& options, Remarks* remarks) {
  if (raw.facts && !options.inspect_dense) {
    DenseTensor dense(raw.space, std::move(raw.values), std::move(raw.weights), *raw.facts);
    remark_on_dense(dense, options, remarks);
    return dense;
  }
  DenseTensor dense = build_dense(raw.space, std::move(raw.values), options, remarks);
  if (!raw.weights.empty()) dense.set_weights({raw.weights.begin(), raw.weights.end()});
  return dense;
}

}  // namespace

Tensor build(RawTensor raw, const ReadOptions& options, Remarks* remarks) {
  if (raw.entries) {
    if (options.base) remark(remarks, "--base has no effect: the file states its indices exactly");
    return {build_raw_sparse(raw, options, remarks), std::move(raw.labels)};
  }
  return {build_raw_dense(raw, options, remarks), std::move(raw.labels)};
}

}  // namespace polyad
