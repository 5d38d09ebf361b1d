#pragma once
// Which solver, and the options that belong to one of them alone. method_table.hpp has what is known of each;
// docs/methods.md says which method when.

#include <polyad/base/fields.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

namespace polyad {

/// A method by its word, as a loss is: `options.method = "cp-apr"`. The words are those of the table in method_table.cpp, so that
/// a new method is not named here.
class Method {
 public:
  Method() = default;
  /// A usage error where there is no such method.
  Method(std::string_view word) {
    parse_value(option_name("method"), word, *this);
  }                                                             // NOLINT(google-explicit-constructor)
  Method(const char* word) : Method(std::string_view(word)) {}  // NOLINT(google-explicit-constructor)

  /// Its place in the table.
  explicit constexpr Method(std::size_t place) : place_(place) {}
  explicit constexpr operator std::size_t() const { return place_; }

  friend bool operator==(const Method&, const Method&) = default;
  friend std::span<const std::string_view> words_of(Method);

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

/// The precision in which a stochastic fit keeps factors, gradients and moments. Sums of the loss are double always.
enum class Precision { in_double, in_single };
constexpr std::array<std::string_view, 2> words_of(Precision) {
  return {"double", "single"};
}

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

}  // namespace polyad
