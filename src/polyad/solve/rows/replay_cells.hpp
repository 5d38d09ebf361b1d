#pragma once
// Old data that are no longer there are stood for by what the old model expected in them: in a cell of an old slice the old model
// has m0, and x0 is the value for which m0 is the best fit (loss/best_value.hpp). The divergence
//
//   D(A) = sum over old cells of v_t f(x0, m_A)
//
// is least at the old model, grows with every change as fast as the loss of the old data would on average, and knows of bounds,
// links and zeros what the loss knows: raising a strength where nothing was ever expected costs what it costs in data. v_t is what
// slice t still counts (1: as much as new data).
//
// For the rows of one mode D is summed over cells of the other modes, the same for all rows: all of them where they are few, else a
// sample drawn half from the components (each component alike, then an index of each mode by its strength) and half from all cells,
// with weights 1/density. At the old model every term is at its least, so a sample adds no noise to where the minimum is, only
// to how firmly it holds.

#include <polyad/detail/aligned.hpp>
#include <polyad/model.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace polyad {

struct ReplayRequest {
  std::size_t mode = 0;                   ///< whose rows are looked for
  std::size_t slices = 0;                 ///< the mode of the slices
  std::span<const double> slice_weights;  ///< v, one per row of that mode
  std::uint64_t cells = 2000;             ///< of a sample
  std::uint64_t seed = 1;
};

class ReplayCells {
 public:
  /// `old`: all weights in its factors; it must outlive this.
  ReplayCells(const Factors& old, const ReplayRequest& request);

  const Factors& old() const { return old_; }
  std::size_t mode() const { return mode_; }
  std::size_t size() const { return weights_.size(); }
  const AlignedVector<double>& weights() const { return weights_; }
  /// Products of the other modes' rows of a model that has at least the old rows, size() rows of model.stride().
  AlignedVector<double> products(const Factors& model) const;
  const AlignedVector<double>& old_products() const { return old_products_; }

 private:
  void take_all(const ReplayRequest& request);
  void draw(const ReplayRequest& request);

  const Factors& old_;
  std::size_t mode_;
  std::vector<AlignedVector<Index>> index_;  // one array per mode; that of mode_ holds zeros
  AlignedVector<double> weights_;
  AlignedVector<double> old_products_;
};

}  // namespace polyad
