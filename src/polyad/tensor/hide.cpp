#include <polyad/base/error.hpp>
#include <polyad/tensor/cell_set.hpp>
#include <polyad/tensor/hide.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace polyad {

namespace {

constexpr double most_hidden = 1e9;  // in a sparse tensor, whose mask is a list

std::uint64_t below(Generator& generator, std::uint64_t n) {
  const std::uint64_t word = generator();
  return bounded64(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32), n);
}

void index_of(const IndexSpace& space, std::uint64_t cell, std::span<Index> index) {
  for (std::size_t k = space.modes(); k-- > 0;) {
    index[k] = static_cast<Index>(cell % space.extent(k));
    cell /= space.extent(k);
  }
}

}  // namespace

std::uint64_t hidden_count(const IndexSpace& space, double fraction) {
  const double wanted = std::round(fraction * space.cells());
  return static_cast<std::uint64_t>(std::min(wanted, space.cells() - 1));
}

Records hide_dense(const IndexSpace& space, AlignedVector<double>& values, double fraction, Generator generator) {
  Records hidden(space.modes());
  const std::uint64_t count = hidden_count(space, fraction);
  hidden.reserve(count);
  std::array<Index, max_modes> index{};
  while (hidden.size() < count) {
    const std::uint64_t cell = below(generator, values.size());
    if (std::isnan(values[cell])) continue;
    index_of(space, cell, index);
    hidden.append(index.data(), values[cell]);
    values[cell] = std::numeric_limits<double>::quiet_NaN();
  }
  return hidden;
}

Records hide_sparse(SparseTensor& tensor, double fraction, Generator generator) {
  const IndexSpace& space = tensor.space();
  Records hidden(space.modes());
  if (fraction * space.cells() > most_hidden) {
    fail(ErrorKind::usage,
         "missing {} of {:.3g} cells would list {:.3g} cells, more than {:.0e}; hide a smaller fraction", fraction,
         space.cells(), fraction * space.cells(), most_hidden);
  }
  const std::uint64_t count = hidden_count(space, fraction);
  if (count == 0) return hidden;
  hidden.reserve(count + 1);
  CellSet chosen(space.modes(), count + 1);
  std::array<Index, max_modes> index{};
  while (hidden.size() < count) {
    for (std::size_t k = 0; k < space.modes(); ++k) index[k] = static_cast<Index>(below(generator, space.extent(k)));
    if (chosen.find(hidden, index.data()) != CellSet::absent) continue;
    const std::uint32_t record = tensor.find(index.data());
    hidden.append(index.data(), record == CellSet::absent ? 0.0 : tensor.records().value(record));
    chosen.insert(hidden, static_cast<std::uint32_t>(hidden.size() - 1));
  }
  tensor.set_missing(hidden);
  return hidden;
}

}  // namespace polyad
