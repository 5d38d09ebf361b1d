#include <polyad/problems/city_labels.hpp>

#include <fmt/format.h>

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

}  // namespace polyad
