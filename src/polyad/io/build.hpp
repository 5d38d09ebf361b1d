#pragma once
// From what a file lists to a tensor: the one place where every reader of sparse data hands its entries over.

#include <polyad/io/open.hpp>
#include <polyad/tensor/tensor.hpp>

namespace polyad {

/// Shows the entries to `options.inspect`, drops values that are not finite where `options.drop_bad_values` says so, sums
/// duplicates and drops explicit zeros; says what it did.
SparseTensor build_sparse(IndexSpace space, Records entries, Unlisted unlisted, const ReadOptions& options,
                          Remarks* remarks);

/// A dense tensor. Infinities are a data error, or become missing where `options.drop_bad_values` says so.
DenseTensor build_dense(IndexSpace space, Mappable<double> values, const ReadOptions& options, Remarks* remarks);

/// Says what there is to say of a dense tensor.
void remark_on_dense(const DenseTensor& dense, const ReadOptions& options, Remarks* remarks);

/// A data error where --shape asks for another shape than the file's own.
void check_asked_shape(const std::string& path, const IndexSpace& space, const ReadOptions& options);

}  // namespace polyad
