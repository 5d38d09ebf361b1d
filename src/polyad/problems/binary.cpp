// App. D of the paper. Outside the supports of the sparse components the odds are those of the constant
// component, so the ones there are bulk noise; inside, the model's odds are computed cell by cell. Both are
// exact draws from p = m/(1+m).

#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/problems/binary_structure.hpp>
#include <polyad/problems/ingredients.hpp>
#include <polyad/problems/problem.hpp>

#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace polyad {

namespace {

constexpr double most_ones = 1e9;

/// The factor entry whose d-fold product has odds rho/(1-rho).
double entry_for(double rho, std::size_t modes) {
  return std::pow(rho / (1 - rho), 1.0 / static_cast<double>(modes));
}

/// `count` of 0 .. n-1, each set equally likely (the first steps of a shuffle).
std::vector<Index> choose_rows(Generator& generator, std::uint64_t n, std::uint64_t count) {
  std::vector<Index> rows(n);
  std::iota(rows.begin(), rows.end(), Index{0});
  for (std::uint64_t i = 0; i < count; ++i) {
    std::swap(rows[i], rows[boost::random::uniform_int_distribution<std::uint64_t>(i, n - 1)(generator)]);
  }
  rows.resize(count);
  return rows;
}

Factors binary_factors(const IndexSpace& space, const BinaryOptions& options) {
  const auto extents = space.extents();
  Factors factors({extents.begin(), extents.end()}, options.rank);
  Generator generator = problem_generator(options.seed, ProblemStream::factors);
  const double high = entry_for(options.rho_high, space.modes());
  const double low = entry_for(options.rho_low, space.modes());
  boost::random::normal_distribution<double> entry(high, 0.5);
  for (std::size_t k = 0; k < space.modes(); ++k) {
    const auto n = space.extent(k);
    const auto count = static_cast<std::uint64_t>(std::round(options.delta * static_cast<double>(n)));
    for (std::size_t j = 0; j + 1 < options.rank; ++j) {
      for (const Index i : choose_rows(generator, n, std::clamp<std::uint64_t>(count, 1, n))) {
        factors.at(k, i, j) = std::abs(entry(generator));
      }
    }
    for (std::size_t i = 0; i < n; ++i) factors.at(k, i, options.rank - 1) = low;
  }
  return factors;
}

void append_all(Records& to, const Records& from) {
  for (std::size_t record = 0; record < from.size(); ++record) to.append(from.index(record), from.value(record));
}

/// Draws every cell of the sparse components' supports, one task a row of the largest mode.
std::vector<Records> structural_ones(const KTensor& truth, const BinaryStructure& structure, std::size_t mode,
                                     std::uint64_t seed, std::size_t threads) {
  std::vector<Records> ones(truth.factors.rows(mode), Records(truth.modes()));
  parallel_tasks(ones.size(), threads, [&](std::size_t i) {
    Generator generator = problem_generator(seed, ProblemStream::structure, i);
    structure.for_each_cell(mode, static_cast<Index>(i), [&](const Index* index, double odds) {
      if (generator.unit() * (1 + odds) < odds) ones[i].append(index, 1.0);
    });
  });
  return ones;
}

/// Noise outside the supports, one task a slab of the largest mode.
std::vector<Records> noise_ones(const IndexSpace& space, const BinaryStructure& structure, std::size_t mode,
                                const BinaryOptions& options, std::size_t threads) {
  std::vector<Records> ones(space.extent(mode), Records(space.modes()));
  parallel_tasks(ones.size(), threads, [&](std::size_t i) {
    Generator generator = problem_generator(options.seed, ProblemStream::noise, i);
    Records tossed(space.modes());
    toss_slab(generator, space, mode, static_cast<Index>(i), options.rho_low, tossed);
    for (std::size_t record = 0; record < tossed.size(); ++record) {
      if (!structure.covers(tossed.index(record))) ones[i].append(tossed.index(record), 1.0);
    }
  });
  return ones;
}

}  // namespace

Problem make_binary(const BinaryOptions& options, std::size_t threads) {
  validate_fields(options);
  const IndexSpace space = parse_shape(options.shape);
  KTensor truth(binary_factors(space, options));
  const BinaryStructure structure(truth);
  const double expected = structure.cells() + options.rho_low * space.cells();
  if (expected > most_ones) {
    fail(ErrorKind::usage,
         "shape {} with delta {} and rho-low {} would have about {:.2g} ones, more than {:.0e}; lower them",
         space.to_string(), options.delta, options.rho_low, expected, most_ones);
  }
  const auto extents = space.extents();
  const auto mode = static_cast<std::size_t>(std::max_element(extents.begin(), extents.end()) - extents.begin());
  const std::size_t team = thread_count(threads);
  const auto structural = structural_ones(truth, structure, mode, options.seed, team);
  const auto noise = noise_ones(space, structure, mode, options, team);

  Records ones(space.modes());
  std::size_t structural_count = 0, noise_count = 0;
  for (const Records& part : structural) structural_count += part.size();
  for (const Records& part : noise) noise_count += part.size();
  ones.reserve(structural_count + noise_count);
  for (const Records& part : structural) append_all(ones, part);
  for (const Records& part : noise) append_all(ones, part);

  std::string describe =
      fmt::format("binary {}, rank {}, seed {}: {} ones where components are, {} elsewhere, density {:.4g} %",
                  space.to_string(), options.rank, options.seed, structural_count, noise_count,
                  100 * static_cast<double>(structural_count + noise_count) / space.cells());
  return {.tensor = SparseTensor(space, std::move(ones)),
          .truth = std::move(truth),
          .labels = {},
          .component_names = {},
          .hidden = Records(space.modes()),
          .describe = std::move(describe)};
}

}  // namespace polyad
