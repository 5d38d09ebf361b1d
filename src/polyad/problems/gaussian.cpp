#include <polyad/base/fields.hpp>
#include <polyad/problems/dense_fill.hpp>
#include <polyad/problems/problem.hpp>
#include <polyad/problems/random_factors.hpp>
#include <polyad/problems/streams.hpp>
#include <polyad/tensor/hide.hpp>

#include <boost/random/normal_distribution.hpp>

#include <fmt/format.h>

#include <cmath>

namespace polyad {

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
