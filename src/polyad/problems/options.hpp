#pragma once
// What to make: one options struct per kind of problem, each with its field list, so that `polyad make KIND`
// offers exactly these options. A problem is a function of its options alone: the same options give the same
// tensor on any machine and any number of threads.

#include <polyad/base/fields.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>

namespace polyad {

enum class ProblemKind { gamma, binary, poisson, gaussian, city };
constexpr std::array<std::string_view, 5> words_of(ProblemKind) {
  return {"gamma", "binary", "poisson", "gaussian", "city"};
}

struct GammaOptions {
  static constexpr ProblemKind kind = ProblemKind::gamma;
  static constexpr std::string_view help = "dense positive data: x ~ gamma(shape 1, scale m), uniform(0,1) factors";
  std::string shape = "200x150x100x50";
  std::uint64_t rank = 5;
  double missing = 0;
  std::uint64_t seed = 1;

  static auto fields() {
    using O = GammaOptions;
    return std::tuple{
        field("shape", &O::shape, "extents, for example 200x150x100"),
        field("rank", &O::rank, "components of the true model", at_least(1)),
        field("missing", &O::missing, "fraction of the cells to hide", decay_factor()),
        field("seed", &O::seed, "seed of the problem"),
    };
  }
};

struct BinaryOptions {
  static constexpr ProblemKind kind = ProblemKind::binary;
  static constexpr std::string_view help =
      "sparse zeros and ones by odds: p = m/(1+m), sparse components and one constant component of noise";
  std::string shape = "200x150x100x50";
  std::uint64_t rank = 5;
  double delta = 0.15;
  double rho_high = 0.9;
  double rho_low = 0.0025;
  std::uint64_t seed = 1;

  static auto fields() {
    using O = BinaryOptions;
    return std::tuple{
        field("shape", &O::shape, "extents, for example 200x150x100"),
        field("rank", &O::rank, "components of the true model, the constant one included", at_least(1)),
        field("delta", &O::delta, "fraction of nonzero entries in a sparse column", within(1e-9, 1)),
        field("rho-high", &O::rho_high, "chance of a one where a sparse component is present", within(1e-9, 1 - 1e-9)),
        field("rho-low", &O::rho_low, "chance of a one elsewhere", within(1e-300, 1 - 1e-9)),
        field("seed", &O::seed, "seed of the problem"),
    };
  }
};

struct PoissonOptions {
  static constexpr ProblemKind kind = ProblemKind::poisson;
  static constexpr std::string_view help = "sparse counts: x ~ poisson(m), skewed nonnegative factors";
  std::string shape = "200x150x100x50";
  std::uint64_t rank = 5;
  std::optional<double> total = {};
  std::optional<double> density = {};
  double missing = 0;
  std::uint64_t seed = 1;

  static auto fields() {
    using O = PoissonOptions;
    return std::tuple{
        field("shape", &O::shape, "extents, for example 200x150x100"),
        field("rank", &O::rank, "components of the true model", at_least(1)),
        field("total", &O::total, "expected sum of all counts; auto: what `density` needs", above(0)),
        field("density", &O::density, "expected fraction of nonzero cells; auto: 0.01, unless `total` is given",
              within(1e-30, 0.99)),
        field("missing", &O::missing, "fraction of the cells to hide", decay_factor()),
        field("seed", &O::seed, "seed of the problem"),
    };
  }
};

struct GaussianOptions {
  static constexpr ProblemKind kind = ProblemKind::gaussian;
  static constexpr std::string_view help = "dense data: a low-rank model plus normal noise";
  std::string shape = "50x40x30";
  std::uint64_t rank = 5;
  double snr = 10;
  bool nonnegative = false;
  double missing = 0;
  std::uint64_t seed = 1;

  static auto fields() {
    using O = GaussianOptions;
    return std::tuple{
        field("shape", &O::shape, "extents, for example 200x150x100"),
        field("rank", &O::rank, "components of the true model", at_least(1)),
        field("snr", &O::snr, "norm of the signal over the expected norm of the noise; inf: no noise", above(0)),
        field("nonnegative", &O::nonnegative, "factors uniform(0,1) instead of normal(0,1)"),
        field("missing", &O::missing, "fraction of the cells to hide", decay_factor()),
        field("seed", &O::seed, "seed of the problem"),
    };
  }
};

struct CityOptions {
  static constexpr ProblemKind kind = ProblemKind::city;
  static constexpr std::string_view help =
      "labelled demonstration: a year of events in a city (day x hour x district x event), six named "
      "patterns";
  double total = 450000;
  std::uint64_t seed = 1;

  static auto fields() {
    using O = CityOptions;
    return std::tuple{
        field("total", &O::total, "expected number of events", within(1, 1e9)),
        field("seed", &O::seed, "seed of the problem"),
    };
  }
};

/// In the order of ProblemKind.
using ProblemOptions = std::variant<GammaOptions, BinaryOptions, PoissonOptions, GaussianOptions, CityOptions>;

/// The default options of a kind.
ProblemOptions default_options(ProblemKind kind);

}  // namespace polyad
