#pragma once
// After the best start and its finish: components that do no work are restarted (solve/revive.hpp) and the model is solved
// again, by the exact finish where there is one and by the method itself otherwise.

#include <polyad/fit/plan.hpp>

#include <functional>

namespace polyad {

/// `context` is that of the best start on its own, with the monitor that has the fit's store.
void revive_components(const FitPlan& plan, StartResult& best, const StartContext& context,
                       const std::function<bool()>& out_of_time);

}  // namespace polyad
