#pragma once
// Between a fit and what a checkpoint keeps of it: whom the checkpoint belongs to, starts that had ended already, and the
// state of a stochastic start between two epochs.

#include <polyad/base/error.hpp>
#include <polyad/options.hpp>
#include <polyad/solve/checkpoint/store.hpp>
#include <polyad/solve/gcp_sgd.hpp>
#include <polyad/tensor/tensor.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace polyad {

/// A store for this fit, or nothing where none is asked for. `used` are the resolved options.
std::unique_ptr<CheckpointStore> make_checkpoint_store(const Tensor& tensor, const FitOptions& used);

/// The result of a start that had ended, from its checkpoint.
std::optional<StartResult> finished_start(const CheckpointStore* store, std::uint64_t start, const Factors& shape);
/// Remembers a start that ran to its end; one that was interrupted goes on from its last epoch instead.
void keep_finished(CheckpointStore* store, const StartResult& result);

/// Everything that the next epoch depends on. Values in single precision are widened, which loses nothing.
template <class Rewind, class Forward>
StartState state_of(const Rewind& now, const Forward& forward, double seconds) {
  const auto list = [](const auto& values) { return std::vector<double>(values.begin(), values.end()); };
  StartState state;
  state.draws = forward.draws;
  state.steps = now.moments.steps;
  state.schedule = forward.schedule;
  state.estimate = now.estimate;
  state.best_estimate = forward.best_estimate;
  state.seconds = seconds;
  state.factors = list(now.factors.flat());
  state.best = list(forward.best_factors.flat());
  state.first = list(now.moments.first);
  state.second = list(now.moments.second);
  state.peak = list(now.moments.peak);
  state.trace = forward.trace;
  return state;
}

/// The reverse, into values of the right shape; false where there is nothing to go on from.
template <class Rewind, class Forward>
bool resume(std::optional<StartState> state, Rewind& now, Forward& forward, double& seconds) {
  if (!state) return false;
  const auto fill = [](const std::vector<double>& from, auto&& to) {
    if (from.size() != to.size()) {
      fail(ErrorKind::data, "the checkpoint holds {} numbers where this fit has {}; it is of another fit", from.size(),
           to.size());
    }
    using T = typename std::remove_cvref_t<decltype(to)>::value_type;
    std::transform(from.begin(), from.end(), to.begin(), [](double v) { return static_cast<T>(v); });
  };
  fill(state->factors, now.factors.flat());
  fill(state->first, now.moments.first);
  fill(state->second, now.moments.second);
  fill(state->peak, now.moments.peak);
  now.moments.steps = state->steps;
  now.estimate = state->estimate;
  forward.draws = state->draws;
  forward.schedule = state->schedule;
  forward.best_factors = now.factors;  // for its shape
  fill(state->best, forward.best_factors.flat());
  forward.best_estimate = state->best_estimate;
  forward.trace = std::move(state->trace);
  seconds = state->seconds;
  return true;
}

}  // namespace polyad
