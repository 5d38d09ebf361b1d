#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/math.hpp>
#include <polyad/model.hpp>
#include <polyad/model/guess.hpp>

#include <cmath>
#include <numbers>
#include <utility>

namespace polyad {

namespace {

/// Entries of two neighbouring columns from the four words of one block.
std::pair<double, double> entry_pair(const RandomStream::Words& words, GuessKind kind) {
  const double u = open_unit(words[0], words[1]);
  const double v = open_unit(words[2], words[3]);
  if (kind == GuessKind::uniform) return {u, v};
  // Box and Muller (1958); u is never 0.
  const double radius = std::sqrt(-2 * math::log(u));
  const double angle = 2 * std::numbers::pi * v;
  return {radius * math::cos(angle), radius * math::sin(angle)};
}

Factors random_entries(const IndexSpace& space, std::size_t rank, GuessKind kind, std::uint64_t seed,
                       std::uint64_t start) {
  if (kind == GuessKind::mixed) kind = start % 2 == 0 ? GuessKind::uniform : GuessKind::normal;
  const RandomStream stream(seed, Purpose::guess, start);
  Factors guess({space.extents().begin(), space.extents().end()}, rank);
  for (std::size_t k = 0; k < guess.modes(); ++k) {
    for (std::size_t i = 0; i < guess.rows(k); ++i) {
      double* row = guess.row(k, i);
      for (std::size_t j = 0; j < rank; j += 2) {
        const auto words = stream.words(i, static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(j / 2), 0);
        const auto [even, odd] = entry_pair(words, kind);
        row[j] = even;
        if (j + 1 < rank) row[j + 1] = odd;
      }
    }
  }
  return guess;
}

// Standard deviation of the model's values around the level.
constexpr double level_spread = 0.5;

}  // namespace

Factors random_guess(const IndexSpace& space, std::size_t rank, GuessKind kind, double target_norm, std::uint64_t seed,
                     std::uint64_t start) {
  Factors guess = random_entries(space, rank, kind, seed, start);
  if (!(target_norm > 0)) return guess;

  // norm() copies nothing but reads a KTensor; the factors move in and out.
  KTensor model(std::move(guess));
  const double have = norm(model);
  if (have > 0) {
    const double scale = math::pow(target_norm / have, 1.0 / static_cast<double>(space.modes()));
    for (double& v : model.factors.flat()) v *= scale;
  }
  return std::move(model.factors);
}

Factors level_guess(const IndexSpace& space, std::size_t rank, double level, std::uint64_t seed, std::uint64_t start) {
  Factors guess = random_entries(space, rank, GuessKind::normal, seed, start);
  const double modes = static_cast<double>(space.modes());
  // A product of d entries of size b has size b^d; r of them side by side sqrt(r) times as much.
  const double spread = level_spread / std::sqrt(static_cast<double>(rank));
  const double size = math::pow(spread, 1 / modes);
  const double middle = math::pow(std::abs(level), 1 / modes);
  // Of the first component, which multiplies what it varies by with the level.
  const double around = std::abs(level) > spread ? middle * spread / (std::abs(level) * std::sqrt(modes)) : size;
  for (std::size_t k = 0; k < guess.modes(); ++k) {
    const double sign = k == 0 && level < 0 ? -1.0 : 1.0;
    for (std::size_t i = 0; i < guess.rows(k); ++i) {
      double* row = guess.row(k, i);
      row[0] = (std::abs(level) > spread ? sign * middle : 0.0) + around * row[0];
      for (std::size_t j = 1; j < rank; ++j) row[j] *= size;
    }
  }
  return guess;
}

double size_of_entries(const Factors& factors) {
  CompensatedSum squares;
  double entries = 0;
  for (const double a : factors.flat()) squares.add(a * a);
  for (std::size_t k = 0; k < factors.modes(); ++k) entries += static_cast<double>(factors.rows(k));
  return std::sqrt(squares.value() / (entries * static_cast<double>(factors.rank())));
}

}  // namespace polyad
