#pragma once
// The patterns planted in the city problem: who does what, when and where.

#include <polyad/problems/city_labels.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace polyad {

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
