#include <polyad/io/table/timestamps.hpp>

#include <array>
#include <cctype>

namespace polyad {
namespace {

constexpr std::array<std::string_view, 12> month_names = {"jan", "feb", "mar", "apr", "may", "jun",
                                                          "jul", "aug", "sep", "oct", "nov", "dec"};

bool digit(char c) {
  return c >= '0' && c <= '9';
}

// Digits at the front, `least` to `most` of them.
std::optional<std::int64_t> take_digits(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t count = 0;
  std::int64_t value = 0;
  while (count < most && count < text.size() && digit(text[count])) value = 10 * value + (text[count++] - '0');
  if (count < least) return std::nullopt;
  text.remove_prefix(count);
  return value;
}

std::optional<std::int64_t> take_month_name(std::string_view& text) {
  std::string word;
  while (word.size() < text.size() && std::isalpha(static_cast<unsigned char>(text[word.size()])) != 0) {
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[word.size()])));
  }
  if (word.size() < 3) return std::nullopt;
  for (std::size_t i = 0; i < month_names.size(); ++i) {
    if (!word.starts_with(month_names[i])) continue;
    text.remove_prefix(word.size());
    return static_cast<std::int64_t>(i) + 1;
  }
  return std::nullopt;
}

std::optional<std::int64_t> take_am_pm(std::string_view& text) {
  if (text.size() < 2 || std::tolower(static_cast<unsigned char>(text[1])) != 'm') return std::nullopt;
  const int first = std::tolower(static_cast<unsigned char>(text[0]));
  if (first != 'a' && first != 'p') return std::nullopt;
  text.remove_prefix(2);
  return first == 'p' ? 1 : 0;
}

bool take_zone(std::string_view& text) {
  if (text.starts_with('Z')) {
    text.remove_prefix(1);
    return true;
  }
  if (!text.starts_with('+') && !text.starts_with('-')) return false;
  text.remove_prefix(1);
  if (!take_digits(text, 2, 2)) return false;
  if (text.starts_with(':')) text.remove_prefix(1);
  return text.empty() || take_digits(text, 2, 2).has_value();
}

void take_fraction(std::string_view& text) {
  if (text.size() < 2 || (text[0] != '.' && text[0] != ',') || !digit(text[1])) return;
  text.remove_prefix(1);
  take_digits(text, 1, 18);
}

int days_in(std::int64_t year, int month) {
  constexpr std::array<int, 12> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return days[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

Timestamp from_seconds(std::int64_t seconds) {
  const std::int64_t day = floor_divide(seconds, 86400);
  const std::int64_t rest = seconds - day * 86400;
  return {day, static_cast<int>(rest / 3600), static_cast<int>(rest / 60 % 60)};
}

}  // namespace

// Days from civil dates (proleptic Gregorian), counted in eras of 400 years that begin in March.
std::int64_t day_of(const Date& date) {
  const std::int64_t y = date.year - (date.month <= 2 ? 1 : 0);
  const std::int64_t era = floor_divide(y, 400);
  const std::int64_t year_of_era = y - era * 400;
  const std::int64_t day_of_year = (153 * ((date.month + 9) % 12) + 2) / 5 + date.day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

Date date_of(std::int64_t day) {
  const std::int64_t z = day + 719468;
  const std::int64_t era = floor_divide(z, 146097);
  const std::int64_t day_of_era = z - era * 146097;
  const std::int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted = (5 * day_of_year + 2) / 153;
  const int month = static_cast<int>(shifted < 10 ? shifted + 3 : shifted - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month,
          static_cast<int>(day_of_year - (153 * shifted + 2) / 5 + 1)};
}

int weekday_of(std::int64_t day) {
  return static_cast<int>((day % 7 + 7 + 3) % 7);  // 1970-01-01 was a Thursday
}

std::optional<Timestamp> parse_timestamp(std::string_view text, std::string_view layout) {
  if (layout == "s" || layout == "t") {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    auto number = take_digits(text, 1, 18);
    if (!number) return std::nullopt;
    take_fraction(text);
    if (!text.empty()) return std::nullopt;
    // A count that could be either is of seconds up to the year 5138, of milliseconds from 1973 on.
    constexpr std::int64_t between = 100'000'000'000;
    if ((*number >= between) != (layout == "t")) return std::nullopt;
    if (layout == "t") *number /= 1000;
    return from_seconds(negative ? -*number : *number);
  }
  Date date;
  std::int64_t hour = 0, minute = 0, second = 0, afternoon = -1;
  for (const char part : layout) {
    std::optional<std::int64_t> value = 0;
    switch (part) {
      case 'Y':
        value = take_digits(text, 4, 4);
        if (value) date.year = *value;
        break;
      case 'y':
        value = take_digits(text, 2, 2);
        if (value) date.year = *value + (*value < 70 ? 2000 : 1900);
        break;
      case 'm':
        value = take_digits(text, 1, 2);
        if (value) date.month = static_cast<int>(*value);
        break;
      case 'b':
        value = take_month_name(text);
        if (value) date.month = static_cast<int>(*value);
        break;
      case 'd':
        value = take_digits(text, 1, 2);
        if (value) date.day = static_cast<int>(*value);
        break;
      case 'H':
      case 'I':
        value = take_digits(text, 1, 2);
        if (value) hour = *value;
        if (part == 'I' && (hour < 1 || hour > 12)) return std::nullopt;
        break;
      case 'M':
        value = take_digits(text, 2, 2);
        if (value) minute = *value;
        break;
      case 'S':
        value = take_digits(text, 2, 2);
        if (value) second = *value;
        take_fraction(text);
        break;
      case 'p':
        value = take_am_pm(text);
        if (value) afternoon = *value;
        break;
      case 'z':
        if (!take_zone(text)) return std::nullopt;
        break;
      default:
        if (!text.starts_with(part)) return std::nullopt;
        text.remove_prefix(1);
    }
    if (!value) return std::nullopt;
  }
  if (afternoon >= 0) hour = hour % 12 + 12 * afternoon;
  const bool sound = text.empty() && date.month >= 1 && date.month <= 12 && date.day >= 1 &&
                     date.day <= days_in(date.year, date.month) && hour < 24 && minute < 60 && second <= 60;
  if (!sound) return std::nullopt;
  return Timestamp{day_of(date), static_cast<int>(hour), static_cast<int>(minute)};
}

const std::vector<std::string>& known_layouts() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> out;
    const std::array<std::string_view, 14> dates = {"Y-m-d", "Y/m/d", "Y.m.d", "m/d/Y", "d/m/Y", "d.m.Y",  "m-d-Y",
                                                    "d-m-Y", "m/d/y", "d/m/y", "d.m.y", "d b Y", "b d, Y", "d-b-Y"};
    const std::array<std::string_view, 6> times = {"H:M:S", "H:M", "I:M:S p", "I:M p", "H:M:Sz", "H:M:S z"};
    for (const std::string_view date : dates) {
      out.emplace_back(date);
      for (const std::string_view time : times) {
        for (const char between : {' ', 'T'}) out.push_back(std::string(date) + between + std::string(time));
      }
    }
    for (const char* compact : {"YmdTHMS", "YmdTHMSz", "YmdHMS", "Ymd"}) out.emplace_back(compact);
    out.emplace_back("t");
    out.emplace_back("s");
    return out;
  }();
  return all;
}

std::string layout_text(std::string_view layout) {
  if (layout == "s") return "seconds since 1970";
  if (layout == "t") return "milliseconds since 1970";
  std::string out;
  for (const char part : layout) {
    switch (part) {
      case 'Y':
        out += "YYYY";
        break;
      case 'y':
        out += "YY";
        break;
      case 'm':
        out += "MM";
        break;
      case 'b':
        out += "Mon";
        break;
      case 'd':
        out += "DD";
        break;
      case 'H':
      case 'I':
        out += "hh";
        break;
      case 'M':
        out += "mm";
        break;
      case 'S':
        out += "ss";
        break;
      case 'p':
        out += "AM";
        break;
      case 'z':
        out += "zone";
        break;
      default:
        out += part;
    }
  }
  return out;
}

}  // namespace polyad
