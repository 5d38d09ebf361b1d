#pragma once
// What commands that write reports have in common: maps, and names of models.

#include "polyad/command.hpp"

#include <polyad/report.hpp>

#include <string>
#include <vector>

namespace polyad::cli {

/// What a report calls the model of a file.
std::string report_name(const std::string& path);

Option add_map_option(Command& command, std::vector<std::string>& arguments);
/// Says on standard error which indices have no region, unless `quiet`.
std::vector<RegionMap> read_maps(const std::vector<std::string>& arguments, const Labels& labels,
                                 const std::vector<std::uint64_t>& extents, bool quiet);

}  // namespace polyad::cli
