#pragma once
// CP models: component weights and factor matrices, m_i = sum_j lambda_j prod_k a_k(i_k, j).
//
//   const KTensor& model = result.model;
//   model.weights[j];                       // of component j + 1; the largest component first
//   model.factors.at(mode, index, j);       // columns of unit length
//   value_at(model, cell);

#include <polyad/cells.hpp>
#include <polyad/detail/aligned.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace polyad {

/// Numbers per row for a given rank.
constexpr std::size_t row_stride(std::size_t rank) {
  return (rank + 3) / 4 * 4;
}

/// All factor matrices in one aligned buffer. Row i of mode k holds the r components of that index side by side, padded with
/// zeros to a multiple of four numbers, so that kernels run whole vectors over a row. (Not to the widest vector: with rank 10 the
/// optimiser, which is bound by memory, would move 16 numbers instead of 12.) Padding is zero and stays so.
///
/// Models are kept in double precision (Factors); a fit in single precision works on FactorsOf<float>.
template <class T>
class FactorsOf {
 public:
  FactorsOf() = default;
  /// All zeros.
  FactorsOf(std::vector<std::uint64_t> extents, std::size_t rank);

  std::size_t modes() const { return extents_.size(); }
  std::size_t rank() const { return rank_; }
  std::size_t stride() const { return stride_; }
  std::size_t rows(std::size_t mode) const { return extents_[mode]; }
  const std::vector<std::uint64_t>& extents() const { return extents_; }

  T* row(std::size_t mode, std::size_t i) { return data_.data() + begin_[mode] + i * stride_; }
  const T* row(std::size_t mode, std::size_t i) const { return data_.data() + begin_[mode] + i * stride_; }
  T& at(std::size_t mode, std::size_t i, std::size_t j) { return row(mode, i)[j]; }
  T at(std::size_t mode, std::size_t i, std::size_t j) const { return row(mode, i)[j]; }

  /// The whole buffer, padding included, and the part of it that belongs to one mode.
  std::span<T> flat() { return data_; }
  std::span<const T> flat() const { return data_; }
  std::span<T> mode_span(std::size_t mode) { return {row(mode, 0), extents_[mode] * stride_}; }
  std::span<const T> mode_span(std::size_t mode) const { return {row(mode, 0), extents_[mode] * stride_}; }
  std::size_t mode_begin(std::size_t mode) const { return begin_[mode]; }

  void set_zero();
  /// Puts zeros back into the padding lanes (a bound that excludes 0 would fill them).
  void clear_padding();
  /// The same for rows begin .. end-1 of one mode.
  void clear_padding(std::size_t mode, std::size_t begin, std::size_t end);
  bool all_finite() const;

  friend bool operator==(const FactorsOf&, const FactorsOf&) = default;

 private:
  std::vector<std::uint64_t> extents_;
  std::size_t rank_ = 0;
  std::size_t stride_ = 0;
  std::vector<std::size_t> begin_;
  AlignedVector<T> data_;
};

extern template class FactorsOf<double>;
extern template class FactorsOf<float>;

using Factors = FactorsOf<double>;

/// The same factors in another precision.
template <class To, class From>
FactorsOf<To> converted(const FactorsOf<From>& factors) {
  FactorsOf<To> result(factors.extents(), factors.rank());
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    const auto from = factors.mode_span(k);
    const auto to = result.mode_span(k);
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<To>(from[i]);
  }
  return result;
}

/// A CP model: m_i = sum_j lambda_j prod_k a_k(i_k, j).
struct KTensor {
  std::vector<double> weights;  ///< lambda, one per component
  Factors factors;

  KTensor() = default;
  /// Weights all 1.
  explicit KTensor(Factors f) : weights(f.rank(), 1.0), factors(std::move(f)) {}

  std::size_t rank() const { return weights.size(); }
  std::size_t modes() const { return factors.modes(); }

  friend bool operator==(const KTensor&, const KTensor&) = default;
};

/// The model's value at one cell. O(r d).
double value_at(const KTensor& model, std::span<const Index> index);
/// A model from its parts: one matrix per mode, row after row. A data error where extents, rank and sizes do not agree.
KTensor model_of(const std::vector<std::uint64_t>& extents, std::vector<double> weights,
                 const std::vector<std::vector<double>>& matrices);
/// A factor matrix row after row, without padding.
std::vector<double> unpadded(const Factors& factors, std::size_t mode);
/// <A, B> = lambda_A' (elementwise product over modes of A_k' B_k) lambda_B: no tensor is formed. O(sum n_k r^2).
double inner_product(const KTensor& a, const KTensor& b);
double norm(const KTensor& model);
/// The model's value at each of these cells; the records' own values are not looked at. A data error names the first cell that
/// the model does not have. O(r d) per cell.
std::vector<double> values_at(const KTensor& model, const Records& cells);

// A CP model is unique only up to the scale, sign and order of its components. These bring it into the form that people read:
// unit columns, weights that carry the magnitude, largest first. A component's number is its position in the model, from 1: files,
// tables, pictures and figures about components all keep it.

enum class ColumnNorm { one, two };  ///< sum of absolute values, or Euclidean

/// Scales every column to norm 1 and multiplies the norms into the weights (a zero column stays zero, with weight 0). With
/// `into_mode`, the weights are then multiplied into that mode's columns and become 1.
void normalize(KTensor& model, ColumnNorm norm = ColumnNorm::two, std::optional<std::size_t> into_mode = {});
/// Makes weights nonnegative and flips columns in pairs, so that each column's largest entry by magnitude is positive in all
/// modes but at most one. Where one must stay negative it is the mode whose column has the most balanced signs, so that a
/// column of one sign keeps it; the weight's sign goes there too.
void resolve_signs(KTensor& model);
/// How large each component is, however its scale is spread over weights and columns: where no entry of the model is negative, the
/// sum of its values over all cells, so that components have shares of a total; otherwise its Euclidean norm. O(sum n_k r).
std::vector<double> component_sizes(const KTensor& model);
/// No weight and no entry is negative.
bool is_nonnegative(const KTensor& model);
/// Sorts the components by size, largest first (equal ones keep their order; NaN comes last). Returns where each stood before.
std::vector<std::size_t> sort_by_size(KTensor& model);
/// Multiplies the weights evenly into all modes (d-th root each; the sign goes to the first mode) and sets them to 1.
void distribute_weights(KTensor& model);

/// How alike two models are (App. E of the paper): the mean over matched components of the product over modes of the columns'
/// cosines, under the best matching.
struct Score {
  double value = 0;  ///< 1: the same up to order and scale; from 0.9 on called alike, or a planted model recovered
  std::vector<std::size_t> match;  ///< component of `b` for each component of `a` (npos where b has fewer)
  std::vector<double> cosines;     ///< product of cosines for each component of `a`
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

/// Ranks may differ: the mean is over the components of `a`, and unmatched ones count 0. Shapes must agree (usage error) and
/// entries be finite (data error). Signs: the product of cosines is taken as it is, so that flips in an even number of modes do
/// not matter; a negative weight counts as a flip, and a component that is zero (a zero column, weight 0) as cosine 0, so that
/// the score does not depend on how a model is normalised. The matching is exact: O(r^3 + sum n_k r^2).
Score score(const KTensor& a, const KTensor& b);
/// Models, or components, of at least this score are called alike, and planted ones recovered (App. E of the paper).
inline constexpr double alike = 0.9;
/// {"score", "components": [{"reference", "other" (null: none), "cosine"}]}, numbers from 1, as `polyad score --json` prints it.
std::string json_text(const Score& score);

/// How a fit went: one epoch of one start, or one iteration of an exact solver.
struct TraceRow {
  std::uint64_t epoch = 0;  ///< 0: the starting guess
  double seconds = 0;       ///< since the start began
  double estimate = 0;
  double rate = 0;  ///< step size; 0 marks an exact iteration, whose `estimate` is the exact objective
  bool accepted = true;

  friend bool operator==(const TraceRow&, const TraceRow&) = default;
};
using Trace = std::vector<TraceRow>;

/// Components that do no work: dead ones, whose weight is nothing beside the others', and copies of another component. A model
/// that has any is not what its rank promises, however flat the objective is around it.
struct IdleComponents {
  struct Copy {
    std::size_t of = 0;
    std::size_t component = 0;

    friend bool operator==(const Copy&, const Copy&) = default;
  };
  std::vector<std::size_t> dead;  ///< in order
  std::vector<Copy> copies;       ///< each component at most once; `of` is the heavier one

  bool empty() const { return dead.empty() && copies.empty(); }
  friend bool operator==(const IdleComponents&, const IdleComponents&) = default;
};

/// How alike the solutions of several starts are, and which components of the best one others found too: what is found from any
/// start can be trusted more than what one start alone has seen.
struct StartLikeness {
  std::vector<double> to_best;              ///< score of each start against the best; empty for one start
  std::vector<std::vector<double>> matrix;  ///< score of each pair; empty where that would take too long
  /// For each component of the best the part of the other starts that have it, with a product of cosines of at least 0.9.
  std::vector<double> stability;
};

}  // namespace polyad
