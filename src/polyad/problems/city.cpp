#include <polyad/base/fields.hpp>
#include <polyad/problems/city_patterns.hpp>
#include <polyad/problems/ingredients.hpp>
#include <polyad/problems/problem.hpp>

#include <boost/random/normal_distribution.hpp>

#include <fmt/format.h>

#include <cmath>

namespace polyad {

namespace {

/// Scales a column to sum 1, so that its entries are shares.
void to_shares(Factors& factors, std::size_t mode, std::size_t j) {
  double sum = 0;
  for (std::size_t i = 0; i < factors.rows(mode); ++i) sum += factors.at(mode, i, j);
  for (std::size_t i = 0; i < factors.rows(mode); ++i) factors.at(mode, i, j) /= sum;
}

/// Weather, and places of unequal size, make each seed a city of its own.
KTensor city_truth(const CityOptions& options) {
  const auto& patterns = city_patterns();
  Factors factors({city_days, city_hours, city_districts.size(), city_events.size()}, patterns.size());
  std::vector<double> weights;
  Generator generator = problem_generator(options.seed, ProblemStream::factors);
  boost::random::normal_distribution<double> normal;
  for (std::size_t j = 0; j < patterns.size(); ++j) {
    const CityPattern& pattern = patterns[j];
    const auto jitter = [&](double deviation) { return std::exp(deviation * normal(generator)); };
    for (std::size_t i = 0; i < city_days; ++i)
      factors.at(0, i, j) = pattern.day(city_day(i)) * jitter(pattern.daily_jitter);
    for (std::size_t i = 0; i < city_hours; ++i) factors.at(1, i, j) = pattern.hour(static_cast<double>(i) + 0.5);
    for (std::size_t i = 0; i < city_districts.size(); ++i) {
      factors.at(2, i, j) = pattern.district(city_districts[i].kind) * jitter(0.5);
    }
    for (std::size_t i = 0; i < city_events.size(); ++i) factors.at(3, i, j) = pattern.event[i] * jitter(0.1);
    for (std::size_t k = 0; k < 4; ++k) to_shares(factors, k, j);
    weights.push_back(pattern.share * options.total);
  }
  KTensor truth(std::move(factors));
  truth.weights = std::move(weights);
  return truth;
}

}  // namespace

Problem make_city(const CityOptions& options, std::size_t threads) {
  validate_fields(options);
  const IndexSpace space({city_days, city_hours, city_districts.size(), city_events.size()});
  KTensor truth = city_truth(options);
  SparseTensor tensor(space, draw_poisson(truth, space, options.seed, threads));
  std::vector<std::string> names;
  for (const CityPattern& pattern : city_patterns()) names.emplace_back(pattern.name);
  std::string describe = fmt::format(
      "city {} (day, hour, district, event), {} patterns, seed {}: {:.0f} events expected, {} nonzeros, "
      "density {:.3g} %",
      space.to_string(), names.size(), options.seed, options.total, tensor.listed(),
      100 * static_cast<double>(tensor.listed()) / space.cells());
  return {.tensor = Tensor(std::move(tensor), city_labels()),
          .truth = std::move(truth),
          .labels = city_labels(),
          .component_names = std::move(names),
          .hidden = Records(space.modes()),
          .describe = std::move(describe)};
}

}  // namespace polyad
