#pragma once
// When to stop, beyond what the schedule says.

#include <polyad/base/fields.hpp>
#include <polyad/solve/method.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

namespace polyad {

struct StopOptions {
  std::optional<double> time_limit;
  std::optional<double> tolerance;  ///< of gcp-sgd auto stays auto: its finish has another default than its epochs
  std::optional<std::uint64_t> iterations;

  static auto fields() {
    return std::tuple{
        field("time-limit", &StopOptions::time_limit,
              "stop after this many seconds, keeping the best so far; auto: no limit", above(0)),
        field("tolerance", &StopOptions::tolerance, tolerance_help(), at_least(0)),
        field("iterations", &StopOptions::iterations, iterations_help(), count_from(1)),
    };
  }
};

/// Why a start ended.
enum class StopReason {
  epochs_done,
  no_decrease,
  tolerance,
  time_limit,
  interrupted,
  diverged,
  iterations_done,
  converged,
};
constexpr std::array<std::string_view, 8> words_of(StopReason) {
  return {"all epochs done", "no further decrease", "change below tolerance", "time limit reached",
          "interrupted",     "no finite estimate",  "all iterations done",    "converged"};
}

}  // namespace polyad
