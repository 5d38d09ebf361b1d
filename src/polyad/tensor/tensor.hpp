#pragma once
// Any tensor, with its labels: what `fit` takes and files give.

#include <polyad/tensor/dense.hpp>
#include <polyad/tensor/labels.hpp>
#include <polyad/tensor/sparse.hpp>

#include <utility>
#include <variant>

namespace polyad {

class Tensor {
 public:
  Tensor(DenseTensor dense, Labels labels = {});    // NOLINT(google-explicit-constructor)
  Tensor(SparseTensor sparse, Labels labels = {});  // NOLINT(google-explicit-constructor)

  const IndexSpace& space() const;
  const Labels& labels() const { return labels_; }
  /// Throws a data error where the labels do not fit the shape.
  void set_labels(Labels labels);

  bool is_sparse() const { return std::holds_alternative<SparseTensor>(data_); }
  const DenseTensor* dense() const { return std::get_if<DenseTensor>(&data_); }
  const SparseTensor* sparse() const { return std::get_if<SparseTensor>(&data_); }
  DenseTensor* dense() { return std::get_if<DenseTensor>(&data_); }
  SparseTensor* sparse() { return std::get_if<SparseTensor>(&data_); }

  /// What is known of the values without looking; nullptr: nothing.
  const TensorFacts* facts() const;
  /// Whether the data lie in a mapped file.
  bool mapped() const { return is_sparse() ? sparse()->records().mapped() : dense()->mapped(); }

  /// Before cells are drawn: lets the system handle mapped data accordingly.
  void expect_random_reads() const {
    is_sparse() ? sparse()->records().expect_random_reads() : dense()->expect_random_reads();
  }

  double observed() const;  ///< number of cells that are data
  /// Frobenius norm over observed cells (weights are not applied).
  double norm() const;

 private:
  std::variant<DenseTensor, SparseTensor> data_;
  Labels labels_;
};

}  // namespace polyad
