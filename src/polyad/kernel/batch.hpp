#pragma once
// The waist of the system: a weighted set of cells. Samplers make batches; kernels and losses never know which sampler ran.
//
//   objective  F~ = sum_t w_t f(x_t, m_t) + w0_t f(0, m_t)   + c * (sum over all cells of f(0, m))
//   gradient   y~_t = w_t g(x_t, m_t) + w0_t g(0, m_t), scattered to the factors, + c * (gradient of that sum)
//
// Uniform, stratified and user strata use w alone. Semi-stratified nonzeros have w = eta w_i / p and w0 = -eta v_i / p
// (Alg. 3). Exact-zeros has c = v, the weight of zeros.

#include <polyad/cells.hpp>
#include <polyad/detail/aligned.hpp>

#include <cstddef>
#include <vector>

namespace polyad {

struct Batch {
  std::vector<AlignedVector<Index>> index;  ///< one array a mode
  AlignedVector<double> x;                  ///< data values
  AlignedVector<double> w;                  ///< weight of f(x, m)
  AlignedVector<double> w0;                 ///< weight of f(0, m); empty where all are 0
  double all_cells = 0;                     ///< c
  std::size_t zeros_from = 0;               ///< samples from here on have x = 0 and w0 = 0

  std::size_t size() const { return x.size(); }
  std::size_t modes() const { return index.size(); }
  /// Nothing is said of zeros: zeros_from is the size.
  void resize(std::size_t modes, std::size_t samples, bool with_w0);
};

/// Adds the samples of another batch of the same kind at the end.
void append(const Batch& more, Batch& batch);

}  // namespace polyad
