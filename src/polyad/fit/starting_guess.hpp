#pragma once
// The guesses that the starts of a fit begin from: random, or a given model for the first start. Fixed modes always come from
// the given model. The first random guess is drawn once, also where planning looks at it.

#include <polyad/cells.hpp>
#include <polyad/model.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/options.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace polyad {

class StartingGuesses {
 public:
  /// `start_from` may be null; otherwise a usage error where it has another shape or rank.
  StartingGuesses(const IndexSpace& space, std::uint64_t rank, const KTensor* start_from);

  bool has_model() const { return given_.has_value(); }
  /// Divides the given model by the unit of the data (units.hpp), a power of two.
  void use_unit(double unit);
  /// What the first start begins from, bounds aside. Options are resolved but for the step size.
  const Factors& first(const FitOptions& options);
  /// The guess of a start, within its bounds.
  Factors guess(const FitOptions& options, const std::vector<Segment>& segments, std::uint64_t start) const;

 private:
  Factors random(const FitOptions& options, std::uint64_t start) const;

  IndexSpace space_;
  std::optional<KTensor> model_;
  std::optional<Factors> given_;  ///< the model in the unit of the fit, its weights spread over the modes
  std::optional<Factors> first_;  ///< random, of start 0
};

}  // namespace polyad
