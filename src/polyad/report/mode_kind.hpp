#pragma once
// What a mode is, as its labels and extent show, so that tables and pictures can show it as that; and where an axis over an
// ordered mode has its marks (ticks.cpp).

#include <polyad/tensor.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

enum class ModeKind {
  time,   ///< ISO dates in order: 2023-01-31, 2023-01, 2023, or with a time of day
  hours,  ///< the 24 hours of a day
  cycle,  ///< the days of a week or the months of a year, by name
  index,  ///< positions or increasing numbers: order has a meaning, names do not
  few,    ///< up to `few_entries` names
  many,   ///< more names
};

inline constexpr std::uint64_t few_entries = 31;

struct IsoDate {
  int year = 0;
  int month = 1;
  int day = 1;
  bool has_month = false;
  bool has_day = false;
  int seconds = 0;  ///< of the day

  friend auto operator<=>(const IsoDate&, const IsoDate&) = default;
};

/// "2023", "2023-01", "2023-01-31", "2023-01-31T08:00" or "2023-01-31 08:00:15"; empty where it is none of them.
std::optional<IsoDate> parse_iso_date(std::string_view text);

ModeKind mode_kind(const ModeLabels& labels, std::uint64_t extent);

/// The labels of a mode, or none where `labels` is empty altogether.
const ModeLabels& labels_of_mode(const Labels& labels, std::size_t mode);
/// Names that are there even where `labels` is empty: "mode 2"; an index's label or its number counted from 1.
std::string mode_title(const Labels& labels, std::size_t mode);
std::string entry_title(const Labels& labels, std::size_t mode, std::size_t index);

/// A mark of an axis.
struct Tick {
  std::size_t index = 0;
  std::string text;

  friend bool operator==(const Tick&, const Tick&) = default;
};

/// At most `most` marks: for dates the starts of years, quarters, months or days; for hours every third or sixth; for
/// numbers a round step.
std::vector<Tick> axis_ticks(const ModeLabels& labels, std::uint64_t extent, std::size_t most);

}  // namespace polyad
