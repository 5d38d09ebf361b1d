#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/problems/ingredients.hpp>
#include <polyad/problems/problem.hpp>
#include <polyad/tensor/hide.hpp>

#include <boost/random/gamma_distribution.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

namespace polyad {

namespace {

/// Shares of the components: gamma(3), scaled to sum 1, so that none is negligible.
std::vector<double> component_shares(std::uint64_t rank, std::uint64_t seed) {
  Generator generator = problem_generator(seed, ProblemStream::factors, 1);
  boost::random::gamma_distribution<double> gamma(3.0);
  std::vector<double> shares(rank);
  double sum = 0;
  for (double& share : shares) sum += share = gamma(generator);
  for (double& share : shares) share /= sum;
  return shares;
}

/// The total at which the expected fraction of nonzero cells, mean of 1 - exp(-total m_i), is `density`. The
/// mean is over cells drawn uniformly, so that no space is too large; the root is found by bisection in
/// log(total).
double total_for_density(const KTensor& shares, const IndexSpace& space, double density, std::uint64_t seed) {
  constexpr std::size_t sampled = 100000;
  Generator generator = problem_generator(seed, ProblemStream::density);
  std::array<Index, max_modes> index{};
  std::vector<double> relative(sampled);  // the cell's share times omega: 1 on average
  for (double& share : relative) {
    for (std::size_t k = 0; k < space.modes(); ++k) {
      const std::uint64_t word = generator();
      index[k] = static_cast<Index>(
          bounded64(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32), space.extent(k)));
    }
    share = value_at(shares, std::span(index.data(), space.modes())) * space.cells();
  }
  double low = std::log(density) - 1, high = std::log(density) + 60;
  for (int step = 0; step < 40; ++step) {
    const double middle = 0.5 * (low + high);
    const double scale = std::exp(middle);
    double nonzero = 0;
    for (const double share : relative) nonzero -= std::expm1(-scale * share);
    (nonzero < density * sampled ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high)) * space.cells();
}

}  // namespace

Problem make_poisson(const PoissonOptions& options, std::size_t threads) {
  validate_fields(options);
  if (options.total && options.density) {
    fail(ErrorKind::usage, "total {} and density {} are both given; give one, the other follows", *options.total,
         *options.density);
  }
  const IndexSpace space = parse_shape(options.shape);
  KTensor truth(skewed_factors(space, options.rank, options.seed));
  truth.weights = component_shares(options.rank, options.seed);
  const double total =
      options.total ? *options.total : total_for_density(truth, space, options.density.value_or(0.01), options.seed);
  for (double& weight : truth.weights) weight *= total;

  SparseTensor tensor(space, draw_poisson(truth, space, options.seed, threads));
  const std::size_t nonzeros = tensor.listed();
  Records hidden = hide_sparse(tensor, options.missing, problem_generator(options.seed, ProblemStream::hidden));
  std::string describe =
      fmt::format("poisson {}, rank {}, seed {}: {} nonzeros, density {:.4g} %, expected total {:.6g}, {} cells hidden",
                  space.to_string(), options.rank, options.seed, nonzeros,
                  100 * static_cast<double>(nonzeros) / space.cells(), total, hidden.size());
  return {.tensor = std::move(tensor),
          .truth = std::move(truth),
          .labels = {},
          .component_names = {},
          .hidden = std::move(hidden),
          .describe = std::move(describe)};
}

}  // namespace polyad
