#pragma once
// The table of update rules: words, the moments each keeps, the options it uses. A rule is a struct in rules/NAME-inl.hpp:
//
//   info      its line of the table
//   numbers   what is computed once per step, above the loops
//   step      how a gradient becomes a step, over vectors
//
// A new rule is one such file and its place in the list in step_simd.cpp, which turns all of them into loops for every
// instruction set and makes the table.

#include <polyad/base/option_use.hpp>
#include <polyad/optim/optimizer.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace polyad {

/// What a rule remembers (MomentsOf); several are joined by |.
enum class Moment : unsigned { first = 1, second = 2, peak = 4 };
constexpr Moment operator|(Moment a, Moment b) {
  return static_cast<Moment>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has(Moment all, Moment one) {
  return (static_cast<unsigned>(all) & static_cast<unsigned>(one)) != 0;
}

struct RuleInfo {
  std::string_view word;
  Moment keeps;
  std::span<const std::string_view> uses;  ///< fields that not all rules use
  bool two_forms = false;                  ///< `adam-form` chooses between them
  /// Steps are proportional to the gradient, so that the rate has its inverse unit; otherwise steps are about as long as the
  /// rate.
  bool proportional = false;
};

/// All rules, in the order of the names in `OptimizerKind`.
std::span<const RuleInfo> all_rules();
const RuleInfo& info_of(OptimizerKind kind);
/// All rules as users of options.
std::vector<OptionUser> optimizer_users(OptimizerKind chosen);

namespace detail {

struct StepBounds {
  double lower;
  double upper;
};

/// Completes the numbers of a step for a rule; `steps` counts from 1.
void complete_numbers(const OptimizerOptions& options, std::uint64_t steps, StepNumbers& numbers);

/// One piece, one step. `clear`: leaves zeros in the gradient.
void run_step(OptimizerKind kind, AdamForm form, const StepNumbers& numbers, const StepArrays<double>& piece,
              const StepBounds& bounds, bool clear);
void run_step(OptimizerKind kind, AdamForm form, const StepNumbers& numbers, const StepArrays<float>& piece,
              const StepBounds& bounds, bool clear);

}  // namespace detail

}  // namespace polyad
