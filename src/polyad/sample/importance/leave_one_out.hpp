#pragma once
// The density that follows the model (docs/importance.md). The gradient at a cell has the norm |g| sqrt(sum_k norm(z_k)^2), z_k
// the product of the rows of all modes but k; what of it can be drawn from in constant time is the leave-one-out mixture
//
//   q(i) = sum_k sum_j C_kj (1 / n_k) prod_{l != k} P_l(i_l, j)  +  C_u / cells,     C_kj ~ n_k prod_{l != k} S_l(j)
//
// with S_l(j) the sum of the absolute values of column j of mode l, and P_l(., j) the column divided by it: choose (k, j); draw
// i_l from column j of every other mode, and i_k uniformly. Up to the share of the uniform density, q is proportional to
// sum_k sum_j z_k(j), which lies between sqrt(sum_k norm(z_k)^2) and that times sqrt(d r) for nonnegative factors. The uniform
// density bounds the weights 1 / (count q).
//
// The model may change afterwards: weights use the density drawn from, and P and C are what the tables really hold, so that
// draws remain unbiased. Each part of a partition has a density of its own over its box.
//
// Cost: O(r sum_k n_k) to make; O(d) per draw and O(r d) per density.

#include <polyad/model.hpp>
#include <polyad/sample/draws/alias_table.hpp>
#include <polyad/sample/draws/index_drawer.hpp>
#include <polyad/sample/partition.hpp>

#include <cstdint>
#include <vector>

namespace polyad {

class LeaveOneOut {
 public:
  /// `mode` is the one that `parts` divide; entries of the model that are not finite count as 0. The tables do not depend on
  /// the number of threads.
  LeaveOneOut(const Factors& model, std::size_t mode, const std::vector<PartCount>& parts, double uniform_share,
              std::size_t threads);

  /// sum_i q(i) before normalisation, without the uniform share: what the part weighs against the others.
  double mass(std::size_t part) const { return parts_[part].mass; }
  /// Cells of part key.part at the slots first .. first+count-1.
  void draw(const DrawKey& key, std::size_t first, std::size_t count, Batch& batch) const;
  /// q at the cells in slots first .. first+count-1, which lie in the part.
  void densities(std::size_t part, const Batch& batch, std::size_t first, std::size_t count, double* q) const;

 private:
  struct Part {
    Box box;
    std::vector<AliasEntry> components;  ///< numbers of meanings_
    std::vector<double> coefficients;    ///< C_kj / n_k, a padded row per mode
    double uniform = 0;                  ///< C_u / cells
    double mass = 0;
    std::vector<detail::DrawnMode>
        numbers;  ///< what is drawn for a cell: component, coin; bucket and coin of each mode
    std::uint32_t blocks = 0;
  };

  void fill_column(const Factors& model, std::size_t mode, std::size_t column, const Box& box, double& log_sum);
  void fill_components(Part& part, const std::vector<double>& log_weights, double log_scale, double uniform_share);

  /// What a component draws: every mode but one from a column, or every mode uniformly (the last one).
  struct Meaning {
    std::uint32_t left_out;  ///< k; `nothing_drawn` for the uniform density
    std::uint32_t column;    ///< j
  };
  static constexpr std::uint32_t nothing_drawn = ~std::uint32_t{0};

  std::vector<Meaning> meanings_;                ///< (k, j) as k r + j, then the uniform density
  Factors probabilities_;                        ///< P
  std::vector<std::vector<AliasEntry>> tables_;  ///< of each mode, column after column
  std::vector<Part> parts_;
};

}  // namespace polyad
