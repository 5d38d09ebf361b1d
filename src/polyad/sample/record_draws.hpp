#pragma once
// Draws, with replacement, of listed records in proportion to the size of their gradients, as it was when the table was made:
//
//   u_i = c + (1 - c) h_i / mean(h),   h_i = |w_i g(x,m) - v g(0,m)| sqrt(sum_k norm(z_k)^2), capped at 100 times its mean
//   w   = (eta / p) w_i / u_i   and, where a correction v is given (exact-zeros),   w0 = -(eta / p) v / u_i
//
// c is the uniform share: no weight exceeds 1 / c times that of a uniform draw, however old the sizes. A bucket holds the
// weights of both its records, so that a draw touches two cache lines: the bucket's and the record's.

#include <polyad/loss/block.hpp>
#include <polyad/model/factors.hpp>
#include <polyad/sample/index_drawer.hpp>
#include <polyad/tensor/sparse.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace polyad {

/// Every `step`-th record from `begin` on.
struct RecordRange {
  std::size_t begin;
  std::size_t step;
  std::size_t count;
};

/// h of these records for a model, not capped; finite. O(r d) each.
void record_sizes(const SparseTensor& tensor, const Factors& model, const Loss& loss, double correction,
                  const RecordRange& range, float* sizes);

/// Turns sizes into u, whose mean is 1; and what that does to the second moment of the gradient: E[norm^2] of p draws is
/// (n / p) sum h^2 for uniform draws and (n / p) sum h^2 / u for these.
struct Lift {
  double mass = 0;      ///< sum of h, capped
  double squares = 0;   ///< sum of h^2
  double weighted = 0;  ///< sum of h^2 / u
};
Lift lift_sizes(std::span<float> sizes, double uniform_share);

class RecordDraws {
 public:
  /// From records begin .. begin + u.size() - 1, at least one.
  RecordDraws(const SparseTensor& tensor, std::size_t begin, std::span<const float> u, double correction);

  /// Samples first .. first+count-1 of the batch.
  void fill(const DrawKey& key, std::size_t first, std::size_t count, Batch& batch) const;

 private:
  struct Bucket {
    std::uint32_t threshold;
    std::uint32_t alias;
    float own_weight;  ///< 1 / u
    float alias_weight;
  };

  const SparseTensor* tensor_;
  std::size_t begin_;
  double correction_;
  std::vector<Bucket> buckets_;
};

}  // namespace polyad
