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
#include <polyad/model.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace polyad {

struct Batch {
  std::vector<AlignedVector<Index>> index;  ///< one array per mode
  AlignedVector<double> x;                  ///< data values
  AlignedVector<double> w;                  ///< weight of f(x, m)
  AlignedVector<double> w0;                 ///< weight of f(0, m); empty where all are 0
  double all_cells = 0;                     ///< c
  std::size_t zeros_from = 0;               ///< samples from here on have x = 0 and w0 = 0

  std::size_t size() const { return x.size(); }
  std::size_t modes() const { return index.size(); }
  /// Nothing is said about zeros: zeros_from is the size.
  void resize(std::size_t modes, std::size_t samples, bool with_w0) {
    index.resize(modes);
    for (AlignedVector<Index>& mode : index) mode.resize(samples);
    x.resize(samples);
    w.resize(samples);
    w0.resize(with_w0 ? samples : 0);
    zeros_from = samples;
  }
};

/// Adds the samples of another batch of the same kind at the end.
inline void append(const Batch& more, Batch& batch) {
  const auto add = [](const auto& from, auto& to) { to.insert(to.end(), from.begin(), from.end()); };
  for (std::size_t k = 0; k < batch.modes(); ++k) add(more.index[k], batch.index[k]);
  add(more.x, batch.x);
  add(more.w, batch.w);
  add(more.w0, batch.w0);
  batch.zeros_from = batch.size();
}

/// Cells that kernels work on at a time: few enough that all between their stages stays in the first-level cache.
inline constexpr std::size_t block_cells = 64;

/// Where the rows of some cells are: what every kernel over cells, sampled or listed, is given. Row 0 of each mode's factor
/// and, where wanted, of its gradient, and the cells' indices into both. Modes may stand in any order.
template <class T>
struct CellRowsOf {
  std::array<const T*, max_modes> factor{};
  std::array<T*, max_modes> gradient{};
  std::array<const Index*, max_modes> index{};
  std::size_t modes = 0;
  std::size_t stride = 0;  ///< numbers per row

  CellRowsOf() = default;
  /// Rows of the model, without cells.
  explicit CellRowsOf(const FactorsOf<T>& model) : modes(model.modes()), stride(model.stride()) {
    for (std::size_t k = 0; k < modes; ++k) factor[k] = model.row(k, 0);
  }
  CellRowsOf(const FactorsOf<T>& model, const Batch& batch) : CellRowsOf(model) {
    for (std::size_t k = 0; k < modes; ++k) index[k] = batch.index[k].data();
  }
  CellRowsOf(const FactorsOf<T>& model, const Batch& batch, FactorsOf<T>& into) : CellRowsOf(model, batch) {
    for (std::size_t k = 0; k < modes; ++k) gradient[k] = into.row(k, 0);
  }
};
using CellRows = CellRowsOf<double>;

}  // namespace polyad
