#pragma once
// CP by alternating Poisson regression: the poisson loss, one mode after the other. Given the rest, the rows of a mode are
// separate convex problems (apr_row.hpp), solved side by side. Columns of all other modes sum to 1 meanwhile, as in the
// literature, so that KKT violations mean the same as there.
//
//   Chi, Kolda: On tensors, sparsity, and nonnegative factorizations (2012): multiplicative updates
//   Hansen, Plantenga, Kolda: Newton-based optimization for Kullback-Leibler nonnegative tensor factorizations (2015)
//
// Weights and missing cells enter through each row's linear term. Factors are at least 0 and have no other bounds.
// An outer iteration costs up to `iterations` passes over the data for each mode.

#include <polyad/kernel/listed_cells.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/solve/apr_row.hpp>
#include <polyad/solve/solver.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace polyad {

struct AprSettings {
  AprRowSettings row;
  double tolerance = 0;  ///< ends where an outer iteration changes F by less than this fraction; 0: never
  std::uint64_t iterations = 200;
  double data_scale = 1;  ///< what the data are multiplied by, a power of two
};

class CpApr final : public Solver {
 public:
  /// A usage error where a mode has bounds other than at least 0.
  CpApr(const Tensor& tensor, std::vector<Segment> segments, AprSettings settings);

  StartResult run(Factors guess, const StartContext& context) const override;
  std::string describe() const override;

 private:
  std::vector<Segment> segments_;
  AprSettings settings_;
  std::vector<ListedCells> orders_;  ///< one per mode; x are values times weights
  double weight_unit_ = 1;  ///< a power of two that all weights are divided by: KKT violations do not depend on them
  std::string data_;        ///< what is passed over, for people
};

}  // namespace polyad
