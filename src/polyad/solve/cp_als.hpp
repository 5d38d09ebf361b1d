#pragma once
// CP by alternating least squares: the gaussian loss, one mode after the other, each solved exactly given the rest.
//
//   A_k H_k = B_k,   B_k = MTTKRP of the data,   H_k = elementwise product of the other modes' A_l'A_l  (+ ridge I)
//
// Weights and missing cells make it a problem of its own for each row i: H_k,i = v H_k + sum_{cells of i} (w - v) pi pi', which
// is solved as it is, not by filling in values. With bounds, rows descend within them. Each sweep lowers
// F = sum w (x - m)^2 + ridge sum a^2, but for rounding.
//
// After a sweep the columns of a component are scaled to equal norms in all modes, which changes no model value and keeps
// scales from drifting apart; not where bounds or fixed modes forbid it.
//
//   Carroll, Chang (1970); Harshman (1970). Cost of a sweep: d passes over the data, O(nnz r d^2) or O(cells r d).

#include <polyad/kernel/every_cell.hpp>
#include <polyad/kernel/listed_cells.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/solve/solver.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace polyad {

struct AlsSettings {
  double ridge = 0;
  double data_scale = 1;    ///< what the data are multiplied by, a power of two
  double tolerance = 1e-8;  ///< ends where a sweep changes F by less than this fraction
  std::uint64_t sweeps = 500;
};

class CpAls final : public Solver {
 public:
  /// The tensor must outlive it.
  CpAls(const Tensor& tensor, std::vector<Segment> segments, AlsSettings settings);

  StartResult run(Factors guess, const StartContext& context) const override;
  std::string describe() const override;

 private:
  std::vector<Segment> segments_;
  AlsSettings settings_;
  std::unique_ptr<CellSource> every_cell_;  ///< of a complete dense tensor
  std::vector<ListedCells> orders_;         ///< of any other: one per mode
  double square_of_data_ = 0;               ///< sum w x^2
  double weight_unit_ = 1;                  ///< a power of two that all weights are divided by
  std::string data_;                        ///< what a sweep passes over, for people
};

}  // namespace polyad
