#pragma once
// Which solver, what belongs to one of them alone, and what holds for all: bounds, when to stop, checkpoints. docs/methods.md says
// which method when.

#include <polyad/fields.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace polyad {

/// A method by its word, as a loss is: `options.method = "cp-apr"`. docs/reference.md lists the words.
class Method {
 public:
  Method() = default;
  /// A usage error where there is no such method.
  Method(std::string_view word);                                // NOLINT(google-explicit-constructor)
  Method(const char* word) : Method(std::string_view(word)) {}  // NOLINT(google-explicit-constructor)

  /// Its place in the table of methods.
  explicit constexpr Method(std::size_t place) : place_(place) {}
  explicit constexpr operator std::size_t() const { return place_; }

  friend bool operator==(const Method&, const Method&) = default;

 private:
  std::size_t place_ = 0;
};
std::span<const std::string_view> words_of(Method);

/// What polishes the best stochastic start.
enum class Finish { none, lbfgsb, apr };
std::span<const std::string_view> words_of(Finish);

/// Help texts, from the table.
const std::string& method_help();
const std::string& tolerance_help();
const std::string& iterations_help();

struct LbfgsbOptions {
  std::uint64_t pairs = 10;
  double gradient_tolerance = 0;

  static auto fields() {
    using O = LbfgsbOptions;
    return std::tuple{
        field("lbfgsb-pairs", &O::pairs, "corrections that L-BFGS-B remembers", within(1, 1000)),
        field("gradient-tolerance", &O::gradient_tolerance,
              "L-BFGS-B stops when no entry of the projected gradient exceeds this", at_least(0)),
    };
  }
};

struct AlsOptions {
  double ridge = 0;

  static auto fields() {
    return std::tuple{
        field("ridge", &AlsOptions::ridge, "weight of the squared factor entries added to the objective", at_least(0)),
    };
  }
};

/// How CP-APR updates the rows of a factor.
enum class AprUpdate { mu, pdnr, pqnr };
constexpr std::array<std::string_view, 3> words_of(AprUpdate) {
  return {"mu", "pdnr", "pqnr"};
}

struct AprOptions {
  AprUpdate update = AprUpdate::pdnr;
  std::uint64_t inner = 10;
  double kkt_tolerance = 1e-4;

  static auto fields() {
    using O = AprOptions;
    return std::tuple{
        field("apr-update", &O::update, "multiplicative updates, or Newton or quasi-Newton steps for each row"),
        field("apr-inner", &O::inner, "most inner iterations per row and visit", count_from(1)),
        field("kkt-tolerance", &O::kkt_tolerance, "stop when no optimality condition is violated by more than this",
              at_least(0)),
    };
  }
};

/// The precision in which a stochastic fit keeps factors, gradients and moments. Sums of the loss are double always.
enum class Precision { in_double, in_single };
constexpr std::array<std::string_view, 2> words_of(Precision) {
  return {"double", "single"};
}

/// Bounds on the factors: for all modes at once, or for one mode; a mode can also be held fixed.
struct BoundOptions {
  std::optional<double> lower;
  std::optional<double> upper;
  std::vector<std::string> modes;

  static auto fields() {
    return std::tuple{
        field("lower", &BoundOptions::lower, "lower bound of all factor entries (-inf: none); auto: the loss's own"),
        field("upper", &BoundOptions::upper, "upper bound of all factor entries; auto: none"),
        field("bound", &BoundOptions::modes,
              "bounds of one mode, by name or number: 'MODE:lower=0,upper=1', 'MODE:upper=inf' or 'MODE:fixed'"),
    };
  }
};

/// When to stop, beyond what the schedule says.
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

/// Where the state of a fit is kept, so that it can continue, however it was ended.
struct CheckpointOptions {
  std::string file;
  double every = 60;
  std::string resume;

  static auto fields() {
    using O = CheckpointOptions;
    return std::tuple{
        field("checkpoint", &O::file,
              "keep the state of the fit in this file; `resume` continues from it, however the fit ended"),
        field("every", &O::every, "seconds between checkpoints; 0: after every epoch", at_least(0)),
        field("resume", &O::resume,
              "continue from this checkpoint, which must be of the same data and options (and keep it up to date, "
              "unless `checkpoint` names another file)"),
    };
  }
};

}  // namespace polyad
