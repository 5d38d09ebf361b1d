#pragma once
// The inner loop of stochastic GCP: draw a batch, its gradient, a step; again. One thread, or a team of them, with the same
// result bit for bit.
//
// A batch comes in parts (sample/partition.hpp): ranges of the largest mode. An iteration has two phases, with a barrier
// after each:
//
//   1. every part:   draw; add its gradient. Rows of the largest mode are the part's own; each part has a copy of the
//                    gradients of the shared modes.
//   2. every row:    the largest mode by parts, the shared modes by ranges of rows: add up the copies in the order of the
//                    parts, add the closed-form sum over zeros where the batch asks for it, step, clear the gradient.

#include <polyad/base/parallel.hpp>
#include <polyad/base/team.hpp>
#include <polyad/kernel/zero_sum.hpp>
#include <polyad/solve/gcp_sgd.hpp>
#include <polyad/solve/thread_tuner.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace polyad {

template <class T>
class Iterations {
 public:
  /// `shape` has the shape of the factors. At most `threads` are used, no more than there are parts, and fewer while
  /// that is faster.
  Iterations(const GcpProblem& problem, const RandomStream& stream, const FactorsOf<T>& shape, ThreadBudget threads);

  /// Draws from this sampler from now on: the problem's, refreshed (Sampler::refreshed). It must outlive what follows.
  void draw_from(const Sampler& sampler) { sampler_ = &sampler; }

  /// Runs up to `count` iterations on `factors` and `moments`, drawing batches draws, draws + 1, ... `rate(i)` is the rate
  /// of iteration i, for any thread to ask; before each iteration `stop()` is asked, by one thread, whether to end. Returns
  /// how many were run. (Never inlined: bench/guard counts the instructions within.)
  [[gnu::noinline]] std::uint64_t run(FactorsOf<T>& factors, MomentsOf<T>& moments, std::uint64_t draws,
                                      std::uint64_t count, const std::function<double(std::uint64_t)>& rate,
                                      const std::function<bool()>& stop);

 private:
  struct Step;
  struct Asked;
  std::uint64_t run_stretch(const Asked& asked, std::size_t threads, std::uint64_t begin, std::uint64_t end,
                            bool& stopped);
  void draw_and_scatter(const Step& step, std::size_t part);
  void sum_terms(const Step& step, std::size_t thread);
  void step_shared_rows(const Step& step, std::size_t thread, const std::vector<ZeroTerm>& others);
  void step_rows(const Step& step, std::size_t mode, std::size_t begin, std::size_t end,
                 const std::vector<ZeroTerm>& others);
  std::vector<ZeroTerm> other_terms() const;
  bool with_zero_sum() const { return all_cells_ != 0; }

  const GcpProblem& problem_;
  const Sampler* sampler_;
  const RandomStream stream_;
  const Partition& partition_;
  const double all_cells_;
  double scale_ = 1;  ///< of gradients: a power of two that keeps their squares within single precision
  bool pads_may_fill_ = false;
  const ThreadBudget threads_;
  ThreadTuner tuner_;
  Team team_;
  FactorsOf<T> gradient_;             ///< of the largest mode, and of the shared ones for part 0
  std::vector<FactorsOf<T>> copies_;  ///< of the shared modes, for the parts from 1 on
  std::vector<Batch> batches_;        ///< one per part
  std::vector<ZeroTerm> part_terms_;  ///< what each part's rows contribute to the term of the largest mode
  std::vector<ZeroTerm> terms_;       ///< of the shared modes
};

}  // namespace polyad
