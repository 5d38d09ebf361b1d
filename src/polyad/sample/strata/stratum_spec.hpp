#pragma once
// A stratum as the user writes it (Sec. 4.2: any partition of the observed cells will do):
//
//   nonzeros[:values=RANGE][:box=BOX][:samples=N]    listed entries of a sparse tensor (explicit zeros among them)
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

#include <polyad/sample/strata/box.hpp>
#include <polyad/sample/strata/value_range.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace polyad
