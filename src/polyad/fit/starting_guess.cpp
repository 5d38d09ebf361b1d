#include <polyad/fit/starting_guess.hpp>

#include <polyad/base/error.hpp>
#include <polyad/model/arrange.hpp>
#include <polyad/model/guess.hpp>
#include <polyad/solve/bounds.hpp>

#include <algorithm>
#include <cmath>
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
  KTensor balanced = *start_from;
  distribute_weights(balanced);
  given_ = std::move(balanced.factors);
}

Factors StartingGuesses::random(const FitOptions& options, std::uint64_t start) const {
  return random_guess(space_, options.rank, *options.guess.kind, *options.guess.norm, options.seed, start);
}

double StartingGuesses::size(const FitOptions& options) {
  if (!given_ && !first_) first_ = random(options, 0);
  double squares = 0;
  for (const double a : (given_ ? *given_ : *first_).flat()) squares += a * a;
  const double entries = static_cast<double>(space_.sum_of_extents()) * static_cast<double>(options.rank);
  return std::sqrt(squares / entries);
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
