#pragma once
// Where an axis over an ordered mode has its marks, and what they say.

#include <polyad/report/mode_kind.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace polyad {

struct Tick {
  std::size_t index = 0;
  std::string text;

  friend bool operator==(const Tick&, const Tick&) = default;
};

/// At most `most` marks: for dates the starts of years, quarters, months or days; for hours every third or sixth; for
/// numbers a round step.
std::vector<Tick> axis_ticks(const ModeLabels& labels, std::uint64_t extent, std::size_t most);

}  // namespace polyad
