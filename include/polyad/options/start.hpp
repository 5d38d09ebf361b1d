#pragma once
// Where a fit starts: random factors of which kind and size, and in which unit the data are fitted.

#include <polyad/fields.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

namespace polyad {

/// Entries between 0 and 1, of both signs, or the one and the other in turn.
enum class GuessKind { uniform, normal, mixed };
constexpr std::array<std::string_view, 3> words_of(GuessKind) {
  return {"uniform", "normal", "mixed"};
}

struct GuessOptions {
  std::optional<GuessKind> kind;       ///< auto: uniform(0,1), or mixed where guesses race and factors may be negative
  std::optional<std::uint64_t> tries;  ///< auto: by data, unless the number of starts is given
  std::optional<double> norm;          ///< auto: the norm of the data; 0: unscaled
  std::optional<double> level;  ///< auto: the best constant where m is not on the data's scale, unless norm is given
  std::optional<double> unit;   ///< auto: near the size of the data, unless an option is given that is itself a size

  static auto fields() {
    return std::tuple{
        field("init", &GuessOptions::kind,
              "random starting factors: uniform (0 to 1), normal, or mixed (the one and the other in turn); auto: "
              "uniform, or mixed where there are `tries` and factors may be negative"),
        field(
            "tries", &GuessOptions::tries,
            "random guesses that an exact method follows for a few iterations each, so that the most promising become "
            "the starts; auto: as many as about 0.1 seconds allow where gcp-full is chosen by the data, unless "
            "`starts` is given; otherwise every guess is a start",
            count_from(1)),
        field("init-norm", &GuessOptions::norm,
              "scale the start so that the model has this norm; auto: the norm of the data; 0: leave unscaled",
              at_least(0)),
        field("init-level", &GuessOptions::level,
              "start near this value of m everywhere, with factors of both signs, instead of at a norm; auto: the best "
              "constant model for losses whose m is not on the data's scale (poisson-log, bernoulli-logit), unless "
              "init-norm or init is given"),
        field(
            "unit", &GuessOptions::unit,
            "the data are divided by this power of two while they are fitted, so that their unit changes nothing; "
            "auto: "
            "near the size of the nonzero values where the loss has a unit, but 1 for schedule paper and where another "
            "option is a size itself (rate, final-rate, epsilon, init-norm, ridge, gradient-tolerance, bounds)",
            power_of_two()),
    };
  }
};

}  // namespace polyad
