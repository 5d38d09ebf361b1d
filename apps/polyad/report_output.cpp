#include "polyad/report_output.hpp"
#include "polyad/print.hpp"

#include <polyad/base/text.hpp>
#include <polyad/report.hpp>
#include <polyad/report/mode_kind.hpp>

#include <fmt/format.h>

#include <filesystem>

namespace polyad::cli {

std::string report_name(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

Option add_map_option(Command& command, std::vector<std::string>& arguments) {
  return command
      .add_option("--map", arguments,
                  "draw a mode as a map in the report: regions from GeoJSON, matched with the labels by a property")
      .type_name("MODE=FILE[:PROPERTY]")
      .repeatable();
}

std::vector<RegionMap> read_maps(const std::vector<std::string>& arguments, const Labels& labels,
                                 const std::vector<std::uint64_t>& extents, bool quiet) {
  std::vector<RegionMap> maps;
  for (const std::string& argument : arguments) {
    maps.push_back(read_regions(argument, labels, extents));
    const RegionMap& map = maps.back();
    if (quiet || map.absent.empty()) continue;
    std::vector<std::string> names;
    for (const std::size_t i : map.absent) {
      if (names.size() < 5) names.push_back(entry_title(labels, map.mode, i));
    }
    print_err("map of {}: {} of {} have no region: {}{}\n", mode_title(labels, map.mode), map.absent.size(),
              extents[map.mode], joined(names, ", "), map.absent.size() > names.size() ? ", ..." : "");
  }
  return maps;
}

}  // namespace polyad::cli
