#include <polyad/problems/distinct_cells.hpp>
#include <polyad/tensor/cell_set.hpp>

#include <boost/random/binomial_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>

#include <array>

namespace polyad {

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
  // practice, and rejection costs at most ln(cells) draws a cell.
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
