// The dense problems, gamma and gaussian: every cell is drawn from its model value.

#include <polyad/base/fields.hpp>
#include <polyad/problems/ingredients.hpp>
#include <polyad/problems/problem.hpp>
#include <polyad/tensor/hide.hpp>

#include <fmt/format.h>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/normal_distribution.hpp>

#include <cmath>

namespace polyad {

Problem make_gamma(const GammaOptions& options, std::size_t threads) {
  validate_fields(options);
  const IndexSpace space = parse_shape(options.shape);
  KTensor truth(uniform_factors(space, options.rank, options.seed));
  // A gamma variable of shape 1 and scale m is m times a standard exponential one.
  AlignedVector<double> values =
      draw_dense(truth, space, options.seed, threads, [](Generator& generator, std::span<double> cells) {
        boost::random::exponential_distribution<double> standard;
        for (double& cell : cells) cell *= standard(generator);
      });
  Records hidden = hide_dense(space, values, options.missing, problem_generator(options.seed, ProblemStream::hidden));
  std::string describe = fmt::format("gamma {}, rank {}, seed {}: {:.0f} cells, {} hidden", space.to_string(),
                                     options.rank, options.seed, space.cells(), hidden.size());
  return {.tensor = DenseTensor(space, std::move(values)),
          .truth = std::move(truth),
          .labels = {},
          .component_names = {},
          .hidden = std::move(hidden),
          .describe = std::move(describe)};
}

Problem make_gaussian(const GaussianOptions& options, std::size_t threads) {
  validate_fields(options);
  const IndexSpace space = parse_shape(options.shape);
  KTensor truth(options.nonnegative ? uniform_factors(space, options.rank, options.seed)
                                    : normal_factors(space, options.rank, options.seed));
  const double deviation = norm(truth) / std::sqrt(space.cells()) / options.snr;
  AlignedVector<double> values =
      draw_dense(truth, space, options.seed, threads, [&](Generator& generator, std::span<double> cells) {
        boost::random::normal_distribution<double> standard;
        for (double& cell : cells) cell += deviation * standard(generator);
      });
  Records hidden = hide_dense(space, values, options.missing, problem_generator(options.seed, ProblemStream::hidden));
  std::string describe =
      fmt::format("gaussian {}, rank {}, seed {}: noise of standard deviation {:.4g}, {} of {:.0f} cells hidden",
                  space.to_string(), options.rank, options.seed, deviation, hidden.size(), space.cells());
  return {.tensor = DenseTensor(space, std::move(values)),
          .truth = std::move(truth),
          .labels = {},
          .component_names = {},
          .hidden = std::move(hidden),
          .describe = std::move(describe)};
}

}  // namespace polyad
