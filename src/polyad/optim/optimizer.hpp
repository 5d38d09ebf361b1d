#pragma once
// First-order update rules. An optimiser is a stateless rule; what it remembers lives in `Moments`, a value
// that the solver copies, restores and stores as it likes. Optimisers see spans, never tensors.

#include <polyad/base/aligned.hpp>
#include <polyad/base/fields.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace polyad {

enum class OptimizerKind { adam, amsgrad, adagrad, sgd };
constexpr std::array<std::string_view, 4> words_of(OptimizerKind) {
  return {"adam", "amsgrad", "adagrad", "sgd"};
}

/// Where epsilon goes in Adam's denominator: inside the root (the paper's listing) or outside (the usual
/// form).
enum class AdamForm { paper, usual };
constexpr std::array<std::string_view, 2> words_of(AdamForm) {
  return {"paper", "usual"};
}

/// The paper's decay of the second moment.
inline constexpr double paper_beta2 = 0.999;

struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::adam;
  AdamForm form = AdamForm::paper;
  double beta1 = 0.9;
  std::optional<double> beta2;  ///< auto: the paper's 0.999, unless fit chooses (defaults.hpp)
  double epsilon = 1e-8;
  double momentum = 0.9;

  static auto fields() {
    using O = OptimizerOptions;
    return std::tuple{
        field("optimizer", &O::kind, "update rule"),
        field("adam-form", &O::form, "epsilon inside the root (paper) or outside (usual)"),
        field("beta1", &O::beta1, "decay of the first moment (adam, amsgrad)", decay_factor()),
        field("beta2", &O::beta2, "decay of the second moment (adam, amsgrad); auto: 0.99, or 0.999 for schedule paper",
              decay_factor()),
        field("epsilon", &O::epsilon, "keeps denominators from vanishing", above(0)),
        field("momentum", &O::momentum, "momentum (sgd); 0: plain steps", decay_factor()),
    };
  }
};

/// What a rule remembers. Which arrays are used depends on the rule.
struct Moments {
  AlignedVector<double> first;   ///< mean gradient (adam, amsgrad), velocity (sgd)
  AlignedVector<double> second;  ///< mean squared gradient (adam, amsgrad), sum of squares (adagrad)
  AlignedVector<double> peak;    ///< largest second moment so far (amsgrad)
  std::uint64_t steps = 0;       ///< steps taken

  friend bool operator==(const Moments&, const Moments&) = default;
};

/// A stretch of the parameters with its own bounds: one factor matrix.
struct Segment {
  std::size_t begin = 0;
  std::size_t size = 0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool fixed = false;  ///< not updated at all
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// Zero moments for n parameters.
  virtual Moments start(std::size_t n) const = 0;
  /// One step, then the bounds: parameters = clamp(parameters - rate * direction). Advances moments.steps by
  /// one.
  virtual void step(std::span<double> parameters, std::span<const double> gradient, Moments& moments, double rate,
                    std::span<const Segment> segments) const = 0;
};

std::unique_ptr<Optimizer> make_optimizer(const OptimizerOptions& options);

}  // namespace polyad
