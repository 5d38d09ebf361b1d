#include <polyad/problems/ingredients.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/tensor/cell_set.hpp>

#include <boost/random/binomial_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace polyad {

namespace {

template <class Draw>
Factors drawn_factors(const IndexSpace& space, std::uint64_t rank, std::uint64_t seed, Draw draw) {
  const auto extents = space.extents();
  Factors factors({extents.begin(), extents.end()}, rank);
  Generator generator = problem_generator(seed, ProblemStream::factors);
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    for (std::size_t i = 0; i < factors.rows(k); ++i) {
      for (std::size_t j = 0; j < rank; ++j) factors.at(k, i, j) = draw(generator);
    }
  }
  return factors;
}

}  // namespace

Factors uniform_factors(const IndexSpace& space, std::uint64_t rank, std::uint64_t seed) {
  return drawn_factors(space, rank, seed, [](Generator& generator) { return generator.unit(); });
}

Factors normal_factors(const IndexSpace& space, std::uint64_t rank, std::uint64_t seed) {
  return drawn_factors(space, rank, seed, boost::random::normal_distribution<double>());
}

Factors skewed_factors(const IndexSpace& space, std::uint64_t rank, std::uint64_t seed) {
  boost::random::gamma_distribution<double> gamma(0.7);
  Factors factors = drawn_factors(space, rank, seed, [&](Generator& generator) { return gamma(generator) + 0.02; });
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    for (std::size_t j = 0; j < rank; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < factors.rows(k); ++i) sum += factors.at(k, i, j);
      for (std::size_t i = 0; i < factors.rows(k); ++i) factors.at(k, i, j) /= sum;
    }
  }
  return factors;
}

namespace {

constexpr std::uint64_t cells_per_task = 1 << 18;
constexpr std::uint64_t most_cells = std::uint64_t{1} << 36;  // half a terabyte of doubles

}  // namespace

AlignedVector<double> draw_dense(const KTensor& truth, const IndexSpace& space, std::uint64_t seed, std::size_t threads,
                                 const DrawCells& draw) {
  const auto cells = space.exact_cells();
  if (!cells || *cells > most_cells) {
    fail(ErrorKind::usage,
         "shape {} has {:.3g} cells: too many for a dense tensor; choose smaller extents or a sparse kind",
         space.to_string(), space.cells());
  }
  const std::size_t last = space.modes() - 1;
  const std::size_t rank = truth.rank();
  const std::uint64_t length = space.extent(last);
  const std::uint64_t fibres = *cells / length;
  const std::uint64_t fibres_per_task = std::max<std::uint64_t>(1, cells_per_task / length);

  AlignedVector<double> values(*cells);
  parallel_tasks((fibres + fibres_per_task - 1) / fibres_per_task, thread_count(threads), [&](std::size_t task) {
    Generator generator = problem_generator(seed, ProblemStream::values, task);
    std::vector<double> product(rank);
    const std::uint64_t begin = task * fibres_per_task;
    const std::uint64_t end = std::min(fibres, begin + fibres_per_task);
    for (std::uint64_t fibre = begin; fibre < end; ++fibre) {
      product = truth.weights;
      std::uint64_t rest = fibre;
      for (std::size_t k = last; k-- > 0;) {
        const double* row = truth.factors.row(k, rest % space.extent(k));
        rest /= space.extent(k);
        for (std::size_t j = 0; j < rank; ++j) product[j] *= row[j];
      }
      const std::span<double> cell(values.data() + fibre * length, length);
      for (std::uint64_t i = 0; i < length; ++i) {
        const double* row = truth.factors.row(last, i);
        double m = 0;
        for (std::size_t j = 0; j < rank; ++j) m += product[j] * row[j];
        cell[i] = m;
      }
      draw(generator, cell);
    }
  });
  return values;
}

std::uint64_t binomial_count(Generator& generator, double trials, double p) {
  if (trials < 0x1p53) {
    const auto whole = static_cast<std::int64_t>(trials);
    return static_cast<std::uint64_t>(boost::random::binomial_distribution<std::int64_t>(whole, p)(generator));
  }
  return static_cast<std::uint64_t>(boost::random::poisson_distribution<std::int64_t>(trials * p)(generator));
}

void toss_slab(Generator& generator, const IndexSpace& space, std::size_t mode, Index i, double p, Records& out) {
  double slab_cells = 1;
  for (std::size_t k = 0; k < space.modes(); ++k) slab_cells *= k == mode ? 1.0 : static_cast<double>(space.extent(k));
  const std::uint64_t heads = binomial_count(generator, slab_cells, p);
  if (heads == 0) return;
  // Where most cells show heads, choosing the tails would be quicker; the chance of noise is small in
  // practice, and rejection costs at most ln(cells) draws per cell.
  CellSet chosen(space.modes(), heads);
  Records cells(space.modes());
  cells.reserve(heads);
  std::array<Index, max_modes> index{};
  index[mode] = i;
  while (cells.size() < heads) {
    for (std::size_t k = 0; k < space.modes(); ++k) {
      if (k == mode) continue;
      const std::uint64_t word = generator();
      index[k] = static_cast<Index>(
          bounded64(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32), space.extent(k)));
    }
    if (chosen.find(cells, index.data()) != CellSet::absent) continue;
    cells.append(index.data(), 1.0);
    chosen.insert(cells, static_cast<std::uint32_t>(cells.size() - 1));
  }
  for (std::size_t record = 0; record < cells.size(); ++record) out.append(cells.index(record), 1.0);
}

}  // namespace polyad
