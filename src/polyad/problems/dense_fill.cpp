#include <polyad/base/error.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/problems/dense_fill.hpp>
#include <polyad/problems/streams.hpp>

#include <algorithm>
#include <vector>

namespace polyad {

namespace {

constexpr std::uint64_t cells_a_task = 1 << 18;
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
  const std::uint64_t fibres_a_task = std::max<std::uint64_t>(1, cells_a_task / length);

  AlignedVector<double> values(*cells);
  parallel_tasks((fibres + fibres_a_task - 1) / fibres_a_task, thread_count(threads), [&](std::size_t task) {
    Generator generator = problem_generator(seed, ProblemStream::values, task);
    std::vector<double> product(rank);
    const std::uint64_t begin = task * fibres_a_task;
    const std::uint64_t end = std::min(fibres, begin + fibres_a_task);
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

}  // namespace polyad
