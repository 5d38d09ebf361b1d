#pragma once
// Which solver, and the options of the exact ones. docs/methods.md says which method when.

#include <polyad/base/fields.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

namespace polyad {

enum class Method { gcp_sgd, gcp_full, cp_als, cp_apr };
constexpr std::array<std::string_view, 4> words_of(Method) {
  return {"gcp-sgd", "gcp-full", "cp-als", "cp-apr"};
}

/// What polishes the best stochastic start.
enum class Finish { none, lbfgsb, apr };
constexpr std::array<std::string_view, 3> words_of(Finish) {
  return {"none", "lbfgsb", "apr"};
}

/// How CP-APR updates the rows of a factor.
enum class AprUpdate { mu, pdnr, pqnr };
constexpr std::array<std::string_view, 3> words_of(AprUpdate) {
  return {"mu", "pdnr", "pqnr"};
}

struct ExactOptions {
  std::optional<std::uint64_t> iterations;
  std::uint64_t pairs = 10;
  double gradient_tolerance = 0;
  double ridge = 0;
  AprUpdate apr_update = AprUpdate::pdnr;
  std::uint64_t apr_inner = 10;
  double kkt_tolerance = 1e-4;

  static auto fields() {
    using O = ExactOptions;
    return std::tuple{
        field("iterations", &O::iterations,
              "most iterations of an exact method: of L-BFGS-B, sweeps of cp-als, outer iterations of cp-apr; auto: "
              "1000, "
              "500, 200; of a finish 100, or 10 with apr",
              at_least(1)),
        field("lbfgsb-pairs", &O::pairs, "corrections that L-BFGS-B remembers", within(1, 1000)),
        field("gradient-tolerance", &O::gradient_tolerance,
              "L-BFGS-B stops when no entry of the projected gradient exceeds this", at_least(0)),
        field("ridge", &O::ridge, "cp-als: weight of the squared factor entries added to the objective", at_least(0)),
        field("apr-update", &O::apr_update,
              "cp-apr: multiplicative updates, or Newton or quasi-Newton steps for each row"),
        field("apr-inner", &O::apr_inner, "cp-apr: most inner iterations a row and visit", at_least(1)),
        field("kkt-tolerance", &O::kkt_tolerance,
              "cp-apr: stop when no optimality condition is violated by more than this", at_least(0)),
    };
  }
};

}  // namespace polyad
