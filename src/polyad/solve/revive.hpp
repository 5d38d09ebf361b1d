#pragma once
// Restarts components that do no work (model/compare.hpp) from what the model explains worst.
//
// A component of weight 0 stays so: with one factor at 0 the gradient of all others is 0, a saddle point that gradient methods
// come to rest at, alone or with all components (the zero model). For counts in many cells it is even a local minimum, since
// a random start spreads a component over so many cells that nothing is gained anywhere. What leads away is not a random guess
// but the data: take the cell that the model explains worst and whose slices are explained badly too, and the cells that share
// most indices with it; each mode's column is their deviance by index. For dense data these are the fibres through the cell, and
// a tensor of rank 1 is found exactly. A copy first gives its weight to the component it repeats.
//
// All of it is a function of model, data and the estimate's seed: no random numbers, and the same on any number of threads.

#include <polyad/loss.hpp>
#include <polyad/model.hpp>
#include <polyad/model/compare.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/sample/sampler.hpp>
#include <polyad/solve/solver.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace polyad {

/// References to things that outlive the call.
struct ReviveProblem {
  const Tensor& tensor;
  const Loss& loss;
  const std::vector<Segment>& segments;
  const SampleOptions& sample;  ///< of the estimate, where there are too many cells to look at all
  std::size_t threads = 1;
};

/// Components that do no work: idle ones (model/compare.hpp), and those without which the objective is hardly higher.
IdleComponents useless_components(const Factors& model, const ReviveProblem& problem);

/// The model with at most so many of its idle components restarted, each scaled so that the objective falls; nothing where no
/// component is idle or none of them can be of use.
std::optional<Factors> restarted_components(const Factors& model, const ReviveProblem& problem,
                                            const IdleComponents& idle, std::size_t most);

/// Restarts idle components of `best` and runs `solve` from there, as long as that lowers the objective; a round that does
/// not leaves `best` as it was. Idle components are shared out over the rounds: restarted one after the other they find
/// different parts of the data, where several at once may all go for the same. Rows of the rounds that helped follow in
/// its trace. Returns the number of these rounds. `solve` gets the guess and the number of the round (from 0), and gives
/// objectives that compare with best.estimate.
std::size_t revive(StartResult& best, const ReviveProblem& problem, std::size_t rounds,
                   const std::function<StartResult(Factors guess, std::size_t round)>& solve,
                   const std::function<bool()>& stop);

}  // namespace polyad
