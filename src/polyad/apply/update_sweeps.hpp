#pragma once
// The long part of an update: one mode after the other, each row solved exactly (solve/rows), until nothing is gained.
//
//   minimise over all modes   sum over new cells of w f(x, m)   +   sum over old cells of v_t f(x0, m)
//
// The first sum is over the new slices. The second stands for the old data by what the old model expected in them
// (solve/rows/replay_cells.hpp), or by slices that were kept (slice_memory.hpp). Old slices keep their rows meanwhile; `express_old`
// finds them again in terms of the new factors at the end.
//
// A sweep costs some 3 passes over the new cells per mode, and as many over the cells that stand for the old.

#include <polyad/apply/slice_memory.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>
#include <polyad/progress.hpp>
#include <polyad/solve/rows/replay_cells.hpp>
#include <polyad/solve/rows/row_newton.hpp>
#include <polyad/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace polyad {

struct SweepSettings {
  std::size_t slices = 0;          ///< the mode of the slices
  std::vector<double> lower;       ///< one per mode
  std::vector<double> remembered;  ///< what each old slice still counts, but for those that a memory stands for
  std::uint64_t sweeps = 20;
  double tolerance = 1e-6;
  std::uint64_t replay_cells = 2000;
  std::uint64_t seed = 1;
  std::size_t threads = 1;
};

struct SweepsEnd {
  Factors now;                     ///< the new slices' rows in their mode
  std::vector<double> slice_loss;  ///< of each new slice
  std::optional<Factors> kept;     ///< the same model with the rows of the slices in memory
  Trace trace;                     ///< the objective by sweep
  StopReason why = StopReason::iterations_done;
};

class UpdateSweeps {
 public:
  /// `old`: the old model with all weights in its slices; `memory` may be null. All outlive it; the loss is in the unit of `old`.
  UpdateSweeps(const Loss& loss, const Factors& old, const SliceMemory* memory, SweepSettings settings);

  const SweepSettings& settings() const { return settings_; }
  const Loss& loss() const { return loss_; }
  /// How rows of a mode are solved from where they are.
  RowNewtonSettings row_settings(std::size_t mode) const;

  /// Rows of the slices of `tensor`, all else fixed; each begins at `start`, or where it is where `start` is empty. Returns the
  /// loss of each slice.
  std::vector<double> solve_slices(const Tensor& tensor, const std::vector<double>& start, Factors& now,
                                   const Monitor& monitor) const;
  /// Sweeps from `now`, whose slices are those of `tensor` and which has at least the rank of the old model. An interrupt ends
  /// it after the rows that were begun; the objective never rises but for the error of the sample.
  SweepsEnd run(const Tensor& tensor, Factors now, const Monitor& monitor) const;
  /// The old slices in terms of what the other modes of `now` are: rows with the old components alone.
  Factors express_old(const Factors& now, const Monitor& monitor) const;

 private:
  Factors with_old_slices(const Factors& now) const;
  double refine_others(const Tensor& tensor, Factors& now, Factors& past, std::optional<Factors>& kept,
                       const Monitor& monitor) const;

  const Loss& loss_;
  const Factors& old_;
  const SliceMemory* memory_;
  SweepSettings settings_;
  std::vector<std::optional<ReplayCells>> replay_;  // one per mode
};

}  // namespace polyad
