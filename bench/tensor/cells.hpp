#pragma once
// Tensors to measure with.

#include <polyad/base/rng.hpp>
#include <polyad/cells.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace polyad {

/// About `count` distinct cells, spread evenly, in order of the first mode. The space has fewer than 2^63 cells.
inline Records ordered_cells(const IndexSpace& space, std::size_t count) {
  Generator draw(RandomStream(1, Purpose::problem));
  Records records(space.modes());
  records.reserve(count + count / 8);
  const std::uint64_t cells = *space.exact_cells();
  const std::uint64_t widest = std::max<std::uint64_t>(1, 2 * (cells / count) - 1);
  std::array<Index, max_modes> index{};
  for (std::uint64_t cell = draw() % widest; cell < cells; cell += 1 + draw() % widest) {
    std::uint64_t rest = cell;
    for (std::size_t k = space.modes(); k-- > 0; rest /= space.extent(k)) {
      index[k] = static_cast<Index>(rest % space.extent(k));
    }
    records.append(index.data(), 1);
  }
  return records;
}

inline Records shuffled(const Records& records) {
  Generator draw(RandomStream(2, Purpose::problem));
  Records out = records.blank_copy();
  for (std::size_t i = 0; i < records.size(); ++i) {
    // Inside out: what stood at the place drawn moves to the end.
    const std::size_t at = draw() % (i + 1);
    out.move(at, i);
    out.assign(at, records, i);
  }
  return out;
}

inline IndexSpace crime_space() {
  return IndexSpace({6186, 24, 77, 32});
}
inline constexpr std::size_t crime_nonzeros = 5'330'673;

}  // namespace polyad
