#pragma once
// From options to the solver that was asked for.

#include <polyad/fit/options.hpp>
#include <polyad/loss/block.hpp>
#include <polyad/solve/solver.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace polyad {

/// Whether the method suits loss, bounds and data; a usage error says what would.
void check_method(const Tensor& tensor, const Loss& loss, const FitOptions& options);

/// What auto means for the fraction below which a change ends a start, and for the number of iterations (of a finish where the
/// method is stochastic).
double default_tolerance(Method method);
std::uint64_t default_iterations(Method method, Finish finish);
/// The finish that auto means for gcp-sgd.
Finish default_finish(const Tensor& tensor, const Loss& loss, const BoundOptions& bounds);

/// The solver of options.method; options are resolved.
std::unique_ptr<Solver> make_solver(const Tensor& tensor, const Loss& loss, const FitOptions& options,
                                    const std::vector<Segment>& segments);

/// The solver of options.finish; null for none.
std::unique_ptr<Solver> make_finish(const Tensor& tensor, const Loss& loss, const FitOptions& options,
                                    const std::vector<Segment>& segments);

}  // namespace polyad
