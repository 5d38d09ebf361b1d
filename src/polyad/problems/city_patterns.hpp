#pragma once
// The city problem: the days of 2023, the hours, invented districts and kinds of events, and the patterns planted in them: who
// does what, when and where.

#include <polyad/tensor.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace polyad {

inline constexpr std::size_t city_days = 365;
inline constexpr std::size_t city_hours = 24;

/// Day `i` of the city's year, 2023.
constexpr std::chrono::year_month_day city_date(std::size_t i) {
  using namespace std::chrono;
  return sys_days(year{2023} / January / 1) + days{static_cast<int>(i)};
}

/// What a district is like; patterns choose their places by it.
enum class DistrictKind { centre, office, nightlife, waterside, park, campus, housing, suburb, growth };

struct District {
  std::string_view name;
  DistrictKind kind;
};

inline constexpr std::array<District, 40> city_districts = {{
    {"Old Town", DistrictKind::nightlife},     {"Harbour", DistrictKind::waterside},
    {"Central Station", DistrictKind::office}, {"Market Square", DistrictKind::centre},
    {"Civic Centre", DistrictKind::centre},    {"Financial District", DistrictKind::office},
    {"University", DistrictKind::campus},      {"Theatre Quarter", DistrictKind::nightlife},
    {"Canal Side", DistrictKind::nightlife},   {"Brewery Yard", DistrictKind::nightlife},
    {"North Beach", DistrictKind::waterside},  {"Lakeshore", DistrictKind::waterside},
    {"Botanic Garden", DistrictKind::park},    {"Kings Park", DistrictKind::park},
    {"Riverside", DistrictKind::park},         {"Science Park", DistrictKind::growth},
    {"New Quay", DistrictKind::growth},        {"Airport", DistrictKind::office},
    {"Exchange", DistrictKind::office},        {"Cathedral Hill", DistrictKind::centre},
    {"Museum Mile", DistrictKind::centre},     {"Little Lisbon", DistrictKind::nightlife},
    {"Mill Lane", DistrictKind::housing},      {"Orchard Park", DistrictKind::housing},
    {"Greenfield", DistrictKind::housing},     {"Elm Grove", DistrictKind::housing},
    {"St. Mary's", DistrictKind::housing},     {"Highgate", DistrictKind::housing},
    {"Weavers' Row", DistrictKind::housing},   {"Parkside", DistrictKind::housing},
    {"Southfields", DistrictKind::suburb},     {"Westbrook", DistrictKind::suburb},
    {"Eastgate", DistrictKind::suburb},        {"Hillcrest", DistrictKind::suburb},
    {"Meadowbank", DistrictKind::suburb},      {"Foxhollow", DistrictKind::suburb},
    {"Ironworks", DistrictKind::growth},       {"Dockyard", DistrictKind::growth},
    {"College Green", DistrictKind::campus},   {"Garden Suburb", DistrictKind::suburb},
}};

inline constexpr std::array<std::string_view, 15> city_events = {
    "bike trip", "bus ride", "taxi ride", "parking fine", "road accident", "noise call", "brawl",  "ambulance",
    "concert",   "swim",     "picnic",    "library",      "school visit",  "payment",    "parcel",
};

/// Modes day, hour, district, event, all labelled.
Labels city_labels();

/// A day as the patterns see it.
struct CityDay {
  std::size_t number = 0;  ///< 0 .. 364
  unsigned month = 1;
  unsigned day = 1;      ///< of the month
  unsigned weekday = 0;  ///< 0 is Sunday
  bool public_holiday = false;
  bool school_holiday = false;

  bool weekend() const { return weekday == 0 || weekday == 6; }
};
CityDay city_day(std::size_t number);

struct CityPattern {
  std::string_view name;
  double share;                                  ///< of all events
  double daily_jitter;                           ///< standard deviation of the logarithm of a day's strength
  double (*day)(const CityDay&);                 ///< relative strength of a day
  double (*hour)(double);                        ///< relative strength of an hour (its middle)
  double (*district)(DistrictKind);              ///< relative strength of a kind of district
  std::array<double, city_events.size()> event;  ///< relative strength of each kind of event
};

/// Shares sum to 1, largest first.
const std::vector<CityPattern>& city_patterns();

}  // namespace polyad
