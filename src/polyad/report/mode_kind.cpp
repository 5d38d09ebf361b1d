#include <polyad/report/mode_kind.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace polyad {

namespace {

/// Reads exactly `digits` digits at the front of `text` and takes them off.
std::optional<int> take_digits(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return {};
  int value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return {};
    value = 10 * value + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

/// "08:00" or "08:00:15", as seconds.
std::optional<int> parse_clock(std::string_view text) {
  const auto hour = take_digits(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return {};
  const auto minute = take_digits(text, 2);
  if (!minute || *minute > 59) return {};
  int second = 0;
  if (take(text, ':')) {
    const auto parsed = take_digits(text, 2);
    if (!parsed || *parsed > 60) return {};
    second = *parsed;
  }
  take(text, 'Z');
  if (!text.empty()) return {};
  return (*hour * 60 + *minute) * 60 + second;
}

bool dates_in_order(const std::vector<std::string>& entries) {
  std::optional<IsoDate> before;
  for (const std::string& entry : entries) {
    const auto date = parse_iso_date(entry);
    if (!date || (before && *date < *before)) return false;
    before = date;
  }
  return entries.size() > 1;
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

bool numbers_in_order(const std::vector<std::string>& entries) {
  std::optional<double> before;
  for (const std::string& entry : entries) {
    const auto number = parse_number(entry);
    if (!number || (before && *number <= *before)) return false;
    before = number;
  }
  return true;
}

bool hours_of_day(const std::vector<std::string>& entries) {
  if (entries.size() != 24) return false;
  for (std::size_t hour = 0; hour < 24; ++hour) {
    const std::string& entry = entries[hour];
    const auto clock = parse_clock(entry);
    const bool plain = entry == fmt::format("{}", hour) || entry == fmt::format("{:02}", hour);
    if (!plain && (!clock || *clock / 3600 != static_cast<int>(hour))) return false;
  }
  return true;
}

// Whether every entry begins with the next name of a round ("Mon", "MONDAY", ...), wherever it starts.
template <std::size_t N>
bool names_of_round(const std::vector<std::string>& entries, const std::array<std::string_view, N>& round) {
  if (entries.size() != N) return false;
  const auto begins = [](const std::string& entry, std::string_view name) {
    return entry.size() >= name.size() && std::equal(name.begin(), name.end(), entry.begin(), [](char a, char b) {
             return a == std::tolower(static_cast<unsigned char>(b));
           });
  };
  for (std::size_t first = 0; first < N; ++first) {
    std::size_t matched = 0;
    while (matched < N && begins(entries[matched], round[(first + matched) % N])) ++matched;
    if (matched == N) return true;
  }
  return false;
}

bool days_or_months(const std::vector<std::string>& entries) {
  constexpr std::array<std::string_view, 7> days = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
  constexpr std::array<std::string_view, 12> months = {"jan", "feb", "mar", "apr", "may", "jun",
                                                       "jul", "aug", "sep", "oct", "nov", "dec"};
  return names_of_round(entries, days) || names_of_round(entries, months);
}

}  // namespace

std::optional<IsoDate> parse_iso_date(std::string_view text) {
  IsoDate date;
  const auto year = take_digits(text, 4);
  if (!year || *year < 1000 || *year > 2999) return {};
  date.year = *year;
  if (text.empty()) return date;
  const auto month = take(text, '-') ? take_digits(text, 2) : std::nullopt;
  if (!month || *month < 1 || *month > 12) return {};
  date.month = *month;
  date.has_month = true;
  if (text.empty()) return date;
  const auto day = take(text, '-') ? take_digits(text, 2) : std::nullopt;
  if (!day || *day < 1 || *day > 31) return {};
  date.day = *day;
  date.has_day = true;
  if (text.empty()) return date;
  const auto clock = take(text, 'T') || take(text, ' ') ? parse_clock(text) : std::nullopt;
  if (!clock) return {};
  date.seconds = *clock;
  return date;
}

ModeKind mode_kind(const ModeLabels& labels, std::uint64_t extent) {
  if (labels.entries.empty()) {
    const bool hours =
        extent == 24 && (labels.name == "hour" || labels.name == "hours" || labels.name == "hour of day");
    return hours ? ModeKind::hours : ModeKind::index;
  }
  if (hours_of_day(labels.entries)) return ModeKind::hours;
  if (dates_in_order(labels.entries)) return ModeKind::time;
  if (days_or_months(labels.entries)) return ModeKind::cycle;
  if (numbers_in_order(labels.entries)) return ModeKind::index;
  return extent <= few_entries ? ModeKind::few : ModeKind::many;
}

const ModeLabels& labels_of_mode(const Labels& labels, std::size_t mode) {
  static const ModeLabels none;
  return mode < labels.modes() ? labels.mode(mode) : none;
}

std::string mode_title(const Labels& labels, std::size_t mode) {
  const std::string& name = labels_of_mode(labels, mode).name;
  return name.empty() ? fmt::format("mode {}", mode + 1) : name;
}

std::string entry_title(const Labels& labels, std::size_t mode, std::size_t index) {
  const auto& entries = labels_of_mode(labels, mode).entries;
  return index < entries.size() ? entries[index] : fmt::format("{}", index + 1);
}

}  // namespace polyad
