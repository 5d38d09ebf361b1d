#pragma once
// Timestamps in tables. A layout is written with letters for the parts and everything else for itself:
//   Y year (4 digits)   y year (2 digits)   m month   d day   b month by name   H hour 0-23   I hour 1-12   M minute
//   S second (a fraction is allowed)   p AM or PM   z zone (Z, +01:00)   s seconds since 1970   t milliseconds since 1970
// Everything is taken as written: a zone is read but not applied, since an hour of day is an hour where it happened.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

struct Timestamp {
  std::int64_t day = 0;  ///< days since 1970-01-01
  int hour = 0;
  int minute = 0;
};

/// The time that `text` states in this layout; nothing where it does not fit.
std::optional<Timestamp> parse_timestamp(std::string_view text, std::string_view layout);

/// The layouts that are tried, the likelier of two that both fit first.
const std::vector<std::string>& known_layouts();

/// "07/01/2017 08:40:00 PM" for a layout, to show people: its letters as a person writes them ("MM/DD/YYYY hh:mm:ss AM").
std::string layout_text(std::string_view layout);

struct Date {
  std::int64_t year = 1970;
  int month = 1;
  int day = 1;
};
Date date_of(std::int64_t day);
std::int64_t day_of(const Date& date);
/// 0: Monday.
int weekday_of(std::int64_t day);

}  // namespace polyad
