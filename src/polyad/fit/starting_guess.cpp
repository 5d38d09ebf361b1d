#include <polyad/fit/starting_guess.hpp>

#include <polyad/base/error.hpp>
#include <polyad/model.hpp>
#include <polyad/model/guess.hpp>
#include <polyad/solve/bounds.hpp>

#include <algorithm>
#include <utility>

namespace polyad {

StartingGuesses::StartingGuesses(const IndexSpace& space, std::uint64_t rank, const KTensor* start_from)
    : space_(space) {
  if (start_from == nullptr) return;
  if (!std::ranges::equal(space.extents(), start_from->factors.extents())) {
    fail(ErrorKind::usage, "the starting model has another shape than the data ({})", space.to_string());
  }
  if (start_from->rank() != rank) {
    fail(ErrorKind::usage, "the starting model has rank {}, but rank {} is asked for", start_from->rank(), rank);
  }
  model_ = *start_from;
  use_unit(1);
}

void StartingGuesses::use_unit(double unit) {
  if (!model_) return;
  KTensor balanced = *model_;
  for (double& weight : balanced.weights) weight /= unit;
  distribute_weights(balanced);
  given_ = std::move(balanced.factors);
}

Factors StartingGuesses::random(const FitOptions& options, std::uint64_t start) const {
  if (options.guess.level) return level_guess(space_, options.rank, *options.guess.level, options.seed, start);
  return random_guess(space_, options.rank, *options.guess.kind, *options.guess.norm, options.seed, start);
}

const Factors& StartingGuesses::first(const FitOptions& options) {
  if (!given_ && !first_) first_ = random(options, 0);
  return given_ ? *given_ : *first_;
}

Factors StartingGuesses::guess(const FitOptions& options, const std::vector<Segment>& segments,
                               std::uint64_t start) const {
  const bool from_model = given_ && start == 0;
  Factors guess = from_model ? *given_ : first_ && start == 0 ? *first_ : random(options, start);
  for (std::size_t k = 0; k < segments.size(); ++k) {
    if (segments[k].fixed && !from_model) std::ranges::copy(given_->mode_span(k), guess.mode_span(k).begin());
  }
  apply_bounds(guess, segments);
  return guess;
}

}  // namespace polyad
