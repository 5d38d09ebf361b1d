#pragma once
// The table of methods: what is known of each, in one place. A descriptor stands in its method's own source; a new method is
// one such source and one line in the list in method_table.cpp. Words, help texts, defaults, refusals and factories follow from
// the table.

#include <polyad/loss.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/options.hpp>
#include <polyad/solve/solver.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace polyad {

/// What a solver is made from. The tensor outlives it.
struct MethodSetup {
  const Tensor& tensor;
  const Loss& loss;
  const std::vector<Segment>& segments;  ///< bounds of each mode
  const FitOptions& options;             ///< resolved
  double tolerance = 0;
  std::uint64_t iterations = 0;  ///< at most
};

struct MethodInfo {
  std::string_view word;
  std::string_view help;  ///< how it minimises
  /// It draws samples: it has a step size and an estimate, counts epochs, and may be followed by a finish.
  bool sampled = false;
  /// What the rows of a factor must be a problem of; none: any loss.
  RowProblem rows = RowProblem::none;
  double tolerance = 0;          ///< where none is asked for
  std::uint64_t iterations = 0;  ///< the same; 0 where it counts epochs
  /// That tell which of many guesses are worth going on with (`tries`); 0: it has no race.
  std::uint64_t trial_iterations = 0;
  /// Fields, or titles of groups of them, that not all methods use.
  std::span<const std::string_view> uses = {};
  /// Throws where it cannot serve these data; null: it serves all.
  void (*check)(const Tensor& tensor, const Loss& loss) = nullptr;
  std::unique_ptr<Solver> (*make)(const MethodSetup& setup) = nullptr;
};

/// A finish is a method under another name, for fewer iterations.
struct FinishInfo {
  std::string_view word;
  const MethodInfo* method = nullptr;  ///< null: there is no finish
  std::uint64_t iterations = 0;        ///< where none are asked for
};

/// Whether an option, or a group of them, is among those that not all methods use and this one does.
bool uses(const MethodInfo& method, std::string_view option);

const MethodInfo& info_of(Method method);
const FinishInfo& info_of(Finish finish);
/// All methods, in the order of the table.
std::vector<Method> all_methods();
/// Whether the chosen method draws samples.
bool is_sampled(const FitOptions& chosen);

/// Whether a method minimises this loss; its own check of the data aside.
bool suits_loss(const MethodInfo& method, const Loss& loss);
/// The names of options that are given, but not used by this method nor by the finish that would follow it.
std::vector<std::string_view> options_unused_by(const FitOptions& given, const MethodInfo& method, Finish finish);
/// A usage error where method or finish do not suit loss or data; it says what would. A method that is auto suits.
void check_method(const Tensor& tensor, const Loss& loss, const FitOptions& options);
/// Refuses options that are given but that nothing chosen uses. `chosen` says what was chosen: its method, finish, sampler,
/// schedule and update rule are resolved.
void refuse_unused(const FitOptions& given, const FitOptions& chosen);
/// Sets options that nothing chosen uses back to their defaults.
void reset_unused(FitOptions& chosen);

/// The solver of options.method, and that of options.finish (null for none). Options are resolved.
std::unique_ptr<Solver> make_solver(const Tensor& tensor, const Loss& loss, const FitOptions& options,
                                    const std::vector<Segment>& segments);
/// The solver of options.method for at most so many iterations, as tries are followed.
std::unique_ptr<Solver> make_trial(const Tensor& tensor, const Loss& loss, const FitOptions& options,
                                   const std::vector<Segment>& segments, std::uint64_t iterations);
std::unique_ptr<Solver> make_finish(const Tensor& tensor, const Loss& loss, const FitOptions& options,
                                    const std::vector<Segment>& segments);

}  // namespace polyad
