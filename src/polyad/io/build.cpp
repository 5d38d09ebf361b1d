#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/build.hpp>
#include <polyad/io/remarks.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polyad {

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

void remark_on_dense(const DenseTensor& dense, const ReadOptions& options, Remarks* remarks) {
  if (const std::uint64_t missing = dense.cells() - dense.observed()) {
    remark(remarks, "{} of {} cells {} missing (NaN)", missing, dense.cells(), missing == 1 ? "is" : "are");
  }
  if (options.unlisted == Unlisted::missing)
    remark(remarks, "--unlisted missing has no effect: a dense file lists every cell");
  if (options.base) remark(remarks, "--base has no effect: a dense file has no indices");
}

void check_asked_shape(const std::string& path, const IndexSpace& space, const ReadOptions& options) {
  if (!options.shape || std::ranges::equal(*options.shape, space.extents())) return;
  fail(ErrorKind::data, "'{}' holds a tensor of {}, not of {} (--shape)", path, space.to_string(),
       joined(*options.shape, " x "));
}

}  // namespace polyad
