#pragma once
// The table of update rules: words, the moments each keeps, the options it uses. How a rule turns a gradient into a step is in
// rules/NAME-inl.hpp. A new rule is one such file, one line here, one in `enum class OptimizerKind` and one in step_simd.cpp.

#include <polyad/base/option_use.hpp>
#include <polyad/optim/optimizer.hpp>

#include <array>
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
};

namespace detail {
inline constexpr std::array<std::string_view, 4> options_of_adam = {"adam-form", "beta1", "beta2", "epsilon"};
inline constexpr std::array<std::string_view, 1> options_of_adagrad = {"epsilon"};
inline constexpr std::array<std::string_view, 1> options_of_sgd = {"momentum"};
}  // namespace detail

/// THE list, in the order of `OptimizerKind`.
inline constexpr std::array all_rules = {
    RuleInfo{"adam", Moment::first | Moment::second, detail::options_of_adam},
    RuleInfo{"amsgrad", Moment::first | Moment::second | Moment::peak, detail::options_of_adam},
    RuleInfo{"adagrad", Moment::second, detail::options_of_adagrad},
    RuleInfo{"sgd", Moment::first, detail::options_of_sgd},
};

constexpr const RuleInfo& info_of(OptimizerKind kind) {
  return all_rules.at(static_cast<std::size_t>(kind));
}
/// All rules as users of options.
std::vector<OptionUser> optimizer_users(OptimizerKind chosen);

}  // namespace polyad
