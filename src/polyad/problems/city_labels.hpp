#pragma once
// The names in the city problem: the days of 2023, the hours, invented districts and kinds of events.

#include <polyad/tensor.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>

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

}  // namespace polyad
