#include <polyad/problems/city_patterns.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace polyad {

Labels city_labels() {
  std::vector<ModeLabels> modes(4);
  modes[0].name = "day";
  for (std::size_t i = 0; i < city_days; ++i) {
    const auto date = city_date(i);
    modes[0].entries.push_back(fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                                           static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day())));
  }
  modes[1].name = "hour";
  for (std::size_t i = 0; i < city_hours; ++i) modes[1].entries.push_back(fmt::format("{:02}:00", i));
  modes[2].name = "district";
  for (const District& district : city_districts) modes[2].entries.emplace_back(district.name);
  modes[3].name = "event";
  for (const std::string_view event : city_events) modes[3].entries.emplace_back(event);
  return Labels(std::move(modes));
}

namespace {

using Kind = DistrictKind;

/// A bell around `centre` on the 24-hour clock.
double bell(double hour, double centre, double width) {
  const double apart = std::abs(hour - centre);
  const double z = std::min(apart, 24 - apart) / width;
  return std::exp(-0.5 * z * z);
}

double commuting_day(const CityDay& d) {
  if (d.public_holiday) return 0.12;
  if (d.weekend()) return 0.08;
  return d.month == 8 ? 0.75 : 1.0;
}
double commuting_hour(double h) {
  return bell(h, 8.4, 0.8) + 0.9 * bell(h, 17.8, 1.0) + 0.02;
}
double commuting_district(Kind k) {
  return k == Kind::office ? 1.0 : k == Kind::centre ? 0.45 : k == Kind::growth ? 0.3 : k == Kind::suburb ? 0.2 : 0.06;
}

double nights_day(const CityDay& d) {
  if (d.number == 0 || d.number == city_days - 1) return 2.4;  // New Year
  return d.weekday == 6 ? 1.0 : d.weekday == 5 ? 0.8 : d.weekday == 0 ? 0.45 : d.weekday == 4 ? 0.16 : 0.05;
}
double nights_hour(double h) {
  return bell(h, 0.2, 1.9) + 0.35 * bell(h, 22.2, 1.2) + 0.01;
}
double nights_district(Kind k) {
  return k == Kind::nightlife ? 1.0 : k == Kind::waterside ? 0.2 : k == Kind::centre ? 0.12 : 0.02;
}

double summer_day(const CityDay& d) {
  const double z = (static_cast<double>(d.number) - 198) / 33;  // around the middle of July
  return std::exp(-0.5 * z * z) * (d.weekend() ? 1.7 : 1.0) + 0.004;
}
double summer_hour(double h) {
  return bell(h, 15.2, 2.6) + 0.005;
}
double summer_district(Kind k) {
  return k == Kind::waterside ? 1.0 : k == Kind::park ? 0.85 : k == Kind::campus ? 0.08 : 0.03;
}

double payments_day(const CityDay& d) {
  return d.day == 1 ? 1.0 : d.day == 2 ? 0.12 : d.day == 15 ? 0.06 : 0.006;
}
double payments_hour(double h) {
  return 1.2 * bell(h, 0.5, 0.35) + bell(h, 9.5, 0.8) + 0.012;
}
double payments_district(Kind k) {
  return k == Kind::centre ? 1.0 : k == Kind::housing ? 0.3 : k == Kind::office ? 0.12 : 0.1;
}

double school_day(const CityDay& d) {
  if (d.weekend() || d.public_holiday) return 0.01;
  return d.school_holiday ? 0.03 : 1.0;
}
double school_hour(double h) {
  return bell(h, 7.6, 0.5) + 0.9 * bell(h, 14.2, 1.4) + 0.01;
}
double school_district(Kind k) {
  return k == Kind::housing ? 1.0 : k == Kind::campus ? 0.9 : k == Kind::suburb ? 0.6 : 0.03;
}

double parcels_day(const CityDay& d) {
  const double growth = 0.25 + 1.75 * static_cast<double>(d.number) / city_days;
  const double gifts = d.month == 12 && d.day < 24 ? 1.3 : 1.0;
  return growth * gifts * (d.weekday == 0 || d.public_holiday ? 0.15 : 1.0);
}
double parcels_hour(double h) {
  return bell(h, 11.5, 2.0) + 0.8 * bell(h, 19.3, 1.3) + 0.01;
}
double parcels_district(Kind k) {
  return k == Kind::growth ? 1.0 : k == Kind::suburb ? 0.7 : k == Kind::housing ? 0.25 : 0.08;
}

bool in_school_holiday(unsigned month, unsigned day) {
  return (month == 1 && day < 7) || (month == 4 && day > 2 && day < 16) || month == 7 || month == 8 ||
         (month == 10 && day > 22 && day < 31) || (month == 12 && day > 22);
}

bool in_public_holiday(unsigned month, unsigned day) {
  return (month == 1 && day == 1) || (month == 4 && (day == 7 || day == 10)) || (month == 5 && day == 1) ||
         (month == 12 && day > 23 && day < 27);
}

}  // namespace

CityDay city_day(std::size_t number) {
  const auto date = city_date(number);
  CityDay d;
  d.number = number;
  d.month = static_cast<unsigned>(date.month());
  d.day = static_cast<unsigned>(date.day());
  d.weekday = std::chrono::weekday(std::chrono::sys_days(date)).c_encoding();
  d.public_holiday = in_public_holiday(d.month, d.day);
  d.school_holiday = in_school_holiday(d.month, d.day);
  return d;
}

const std::vector<CityPattern>& city_patterns() {
  // Events:  bike bus taxi fine accident | noise brawl ambulance concert swim | picnic library school payment
  // parcel
  static const std::vector<CityPattern> patterns = {
      {"commuting",
       0.30,
       0.08,
       commuting_day,
       commuting_hour,
       commuting_district,
       {30, 42, 8, 9, 4, 0.3, 0.1, 1, 0.1, 0.1, 0.2, 0.6, 0.4, 0.6, 1}},
      {"parcels (growing)",
       0.20,
       0.06,
       parcels_day,
       parcels_hour,
       parcels_district,
       {3, 1, 2, 14, 2, 1, 0.1, 0.5, 0.1, 0.1, 0.2, 0.3, 0.2, 2, 74}},
      {"weekend nights",
       0.16,
       0.15,
       nights_day,
       nights_hour,
       nights_district,
       {1, 3, 30, 2, 2, 26, 9, 9, 16, 0.1, 0.3, 0.1, 0.1, 0.3, 0.2}},
      {"summer season",
       0.14,
       0.20,
       summer_day,
       summer_hour,
       summer_district,
       {17, 4, 2, 7, 0.5, 2, 0.2, 1.5, 5, 33, 27, 0.2, 0.2, 0.3, 0.3}},
      {"school days",
       0.13,
       0.06,
       school_day,
       school_hour,
       school_district,
       {9, 24, 0.4, 2, 0.8, 0.4, 0.2, 0.6, 0.1, 1.5, 0.5, 20, 40, 0.3, 0.3}},
      {"first of the month",
       0.07,
       0.12,
       payments_day,
       payments_hour,
       payments_district,
       {0.5, 1, 0.6, 7, 0.2, 0.3, 0.1, 0.2, 0.2, 0.1, 0.1, 3, 0.3, 84, 2}},
  };
  return patterns;
}

}  // namespace polyad
