#include <polyad/report/mode_kind.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace polyad {

namespace {

constexpr std::array<std::string_view, 12> month_names = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// 1, 2 or 5 times a power of ten, the smallest that leaves at most `most` steps in `extent`.
std::uint64_t round_step(std::uint64_t extent, std::size_t most) {
  const double wanted = static_cast<double>(extent) / static_cast<double>(most);
  for (double power = 1;; power *= 10) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      if (digit * power >= wanted) return static_cast<std::uint64_t>(digit * power);
    }
  }
}

/// Marks where `part` of the dates changes to a value that is a multiple of `every`, the first entry included where it
/// begins such a part.
template <class Part, class Text>
std::vector<Tick> ticks_at_changes(const std::vector<IsoDate>& dates, int every, Part part, Text text) {
  std::vector<Tick> ticks;
  for (std::size_t i = 0; i < dates.size(); ++i) {
    const bool begins = i == 0 ? dates[0].day == 1 && dates[0].seconds == 0 : part(dates[i]) != part(dates[i - 1]);
    if (begins && part(dates[i]) % every == 0) ticks.push_back({i, text(dates[i])});
  }
  return ticks;
}

std::vector<Tick> date_ticks(const std::vector<IsoDate>& dates, std::size_t most) {
  const auto month_number = [](const IsoDate& d) { return d.year * 12 + d.month - 1; };
  const auto day_number = [&](const IsoDate& d) { return month_number(d) * 31 + d.day - 1; };
  const auto month_text = [](const IsoDate& d) {
    return d.month == 1 ? fmt::format("{}", d.year) : std::string(month_names[static_cast<std::size_t>(d.month - 1)]);
  };
  const auto enough = [&](const std::vector<Tick>& ticks) { return ticks.size() >= 2 && ticks.size() <= most; };
  if (dates.front().has_day) {
    for (const int every : {1, 2, 5, 10}) {
      auto ticks = ticks_at_changes(dates, every, day_number, [&](const IsoDate& d) {
        return fmt::format("{} {}", d.day, month_names[static_cast<std::size_t>(d.month - 1)]);
      });
      if (enough(ticks)) return ticks;
    }
  }
  if (dates.front().has_month) {
    for (const int every : {1, 2, 3, 6}) {
      auto ticks = ticks_at_changes(dates, every, month_number, month_text);
      if (enough(ticks)) return ticks;
    }
  }
  for (const int every : {1, 2, 5, 10, 20, 50, 100, 200}) {
    auto ticks = ticks_at_changes(
        dates, every, [](const IsoDate& d) { return d.year; },
        [](const IsoDate& d) { return fmt::format("{}", d.year); });
    if (enough(ticks)) return ticks;
  }
  return {};
}

std::vector<Tick> ends(const ModeLabels& labels, std::uint64_t extent) {
  const auto text = [&](std::size_t i) {
    return labels.entries.empty() ? fmt::format("{}", i + 1) : labels.entries[i];
  };
  if (extent == 1) return {{0, text(0)}};
  return {{0, text(0)}, {extent - 1, text(extent - 1)}};
}

}  // namespace

std::vector<Tick> axis_ticks(const ModeLabels& labels, std::uint64_t extent, std::size_t most) {
  most = std::max<std::size_t>(most, 2);
  const ModeKind kind = mode_kind(labels, extent);
  if (kind == ModeKind::time) {
    std::vector<IsoDate> dates;
    for (const std::string& entry : labels.entries) dates.push_back(*parse_iso_date(entry));
    auto ticks = date_ticks(dates, most);
    return ticks.empty() ? ends(labels, extent) : ticks;
  }
  if (kind == ModeKind::hours) {
    std::vector<Tick> ticks;
    const std::size_t step = most >= 24 ? 1 : most >= 8 ? 3 : most >= 4 ? 6 : 12;
    for (std::size_t hour = 0; hour < 24; hour += step) ticks.push_back({hour, fmt::format("{}", hour)});
    return ticks;
  }
  std::vector<Tick> ticks;
  if (labels.entries.empty()) {
    // Positions are counted from 1, so round numbers sit one before their index.
    const std::uint64_t step = round_step(extent, most);
    if (step > 1) ticks.push_back({0, "1"});
    for (std::uint64_t number = step; number <= extent; number += step)
      ticks.push_back({number - 1, fmt::format("{}", number)});
  } else {
    const std::uint64_t step = round_step(extent, most);
    for (std::uint64_t i = 0; i < extent; i += step) ticks.push_back({i, labels.entries[i]});
  }
  return ticks.empty() ? ends(labels, extent) : ticks;
}

}  // namespace polyad
