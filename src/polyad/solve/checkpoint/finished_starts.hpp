#pragma once
// Checkpoints of whole fits: whom they belong to, and starts that had ended already.

#include <polyad/options.hpp>
#include <polyad/solve/checkpoint/keeper.hpp>
#include <polyad/solve/gcp_sgd.hpp>
#include <polyad/tensor/tensor.hpp>

#include <memory>
#include <optional>

namespace polyad {

/// A keeper for this fit, or nothing where none is asked for. `used` are the resolved options.
std::unique_ptr<Keeper> make_keeper(const Tensor& tensor, const FitOptions& used);

/// The result of a start that had ended, from its checkpoint.
std::optional<StartResult> finished_start(const Keeper* keeper, std::uint64_t start, const Factors& shape);
/// Remembers a start that ended by itself; one that was interrupted goes on from its last epoch instead.
void keep_finished(Keeper* keeper, const StartResult& result);

}  // namespace polyad
