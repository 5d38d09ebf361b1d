#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/build.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/tensor/tensor.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polyad {
namespace {

void remark_on(Remarks* remarks, std::uint64_t count, const char* one, const char* many, const char* what) {
  if (count > 0) remark(remarks, "{} {} {}", count, count == 1 ? one : many, what);
}

// Each only where it happened.
void remark_on_build(Remarks* remarks, const BuildReport& report) {
  remark_on(remarks, report.duplicates_summed, "duplicate entry was", "duplicate entries were", "summed");
  remark_on(remarks, report.zeros_dropped, "explicit zero was", "explicit zeros were",
            "dropped (unlisted cells are zeros anyway)");
  remark_on(remarks, report.masked_dropped, "entry was", "entries were", "dropped from cells declared missing");
  remark_on(remarks, report.weight_zero_dropped, "entry of weight 0 was", "entries of weight 0 were", "made missing");
}

void remark_on_dense(const DenseTensor& dense, const ReadOptions& options, Remarks* remarks) {
  if (const std::uint64_t missing = dense.cells() - dense.observed()) {
    remark(remarks, "{} of {} cells {} missing (NaN)", missing, dense.cells(), missing == 1 ? "is" : "are");
  }
  if (options.unlisted == Unlisted::missing)
    remark(remarks, "`unlisted missing` has no effect: a dense file lists every cell");
  if (options.base) remark(remarks, "`base` has no effect: a dense file has no indices");
}

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
    if (options.base) remark(remarks, "`base` has no effect: the file states its indices exactly");
    return {build_raw_sparse(raw, options, remarks), std::move(raw.labels)};
  }
  return {build_raw_dense(raw, options, remarks), std::move(raw.labels)};
}

SparseTensor build_sparse(IndexSpace space, Records entries, Unlisted unlisted, const ReadOptions& options,
                          Remarks* remarks) {
  if (options.inspect) options.inspect(space, entries, unlisted);
  if (options.drop_bad_values) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (std::isfinite(entries.value(i))) entries.move(i, kept++);
    }
    if (kept < entries.size()) remark(remarks, "{} values that are not finite were dropped", entries.size() - kept);
    entries.truncate(kept);
  }
  BuildReport report;
  SparseTensor tensor(std::move(space), std::move(entries), unlisted, &report);
  remark_on_build(remarks, report);
  return tensor;
}

DenseTensor build_dense(IndexSpace space, Mappable<double> values, const ReadOptions& options, Remarks* remarks) {
  if (options.inspect_dense) options.inspect_dense(space, {values.data(), values.size()});
  if (options.drop_bad_values) {
    std::uint64_t infinite = 0;
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
      if (!std::isinf(values[cell])) continue;
      values.to_change()[cell] = std::numeric_limits<double>::quiet_NaN();
      ++infinite;
    }
    if (infinite > 0) remark(remarks, "{} infinite values became missing cells", infinite);
  }
  DenseTensor dense(std::move(space), std::move(values));
  remark_on_dense(dense, options, remarks);
  return dense;
}

void check_asked_shape(const std::string& path, const IndexSpace& space, const ReadOptions& options) {
  if (!options.shape || std::ranges::equal(*options.shape, space.extents())) return;
  fail(ErrorKind::data, "'{}' holds a tensor of {}, but `shape` says {}", path, space.to_string(),
       joined(*options.shape, " x "));
}

bool worth_mapping(Mapping mapping, double bytes) {
  if (mapping != Mapping::automatic) return mapping == Mapping::always;
  // Up to here reading takes less time than anybody notices, and goes into huge pages, which random draws like better.
  constexpr double soon_read = 256e6;
  return bytes > soon_read;
}

}  // namespace polyad
