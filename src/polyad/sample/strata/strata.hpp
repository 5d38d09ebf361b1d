#pragma once
// A stratum as the user writes it (Sec. 4.2: any partition of the observed cells will do):
//
//   nonzeros[:values=RANGE][:box=BOX][:samples=N]    listed entries of a sparse tensor (explicit zeros too)
//   zeros[:box=BOX][:samples=N]                      observed unlisted cells of a sparse tensor
//   cells[:values=RANGE][:box=BOX][:samples=N]       observed cells of a dense tensor
//
//   RANGE  2..5  2 <= x <= 5, both ends belong to it        BOX  one item per mode, separated by commas:
//          2..<5 2 <= x < 5, the upper end does not              *     every index
//          2..   2 <= x                                          3-7   indices 3 to 7, counted from 1
//          ..5   x <= 5                                          3     index 3 alone
//          ..<5  x < 5
//          4     x = 4
//
// So counts are split as 1, 2..5, 6.. and reals as ..<0.5, 0.5..<1, 1..

#include <polyad/sample/draws/box.hpp>
#include <polyad/tensor/tensor.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

struct StratumSpec {
  enum class Of { nonzeros, zeros, cells };

  Of of = Of::nonzeros;
  ValueRange values;
  Box box;                               ///< the whole space where none is written
  std::optional<std::uint64_t> samples;  ///< empty: a share in proportion to its size
  std::string text;                      ///< as written, for messages
};

constexpr std::array<std::string_view, 3> words_of(StratumSpec::Of) {
  return {"nonzeros", "zeros", "cells"};
}

/// A usage error says which part of the text is wrong and what may stand there.
StratumSpec parse_stratum(std::string_view text, const IndexSpace& space);

struct StratumCells {
  double size = 0;                     ///< observed cells in it
  std::vector<std::uint32_t> records;  ///< numbers of its records (strata of listed entries)
};

/// Which cells each of the strata holds, checked to be a partition of what is observed: every listed entry (or observed cell of
/// a dense tensor) in exactly one stratum, every cell of the space in exactly one box of zeros where zeros are data. A usage error names an entry that lies in none or in two strata, two boxes that
/// overlap, or how many cells no box of zeros contains and one of them. O(listed * strata), or O(cells *
/// strata) for a dense tensor.
std::vector<StratumCells> cells_of_strata(const Tensor& tensor, std::span<const StratumSpec> specs);

}  // namespace polyad
