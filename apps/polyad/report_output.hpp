#pragma once
// Reports as commands write them: the page or the picture by the name of the file, maps, and how well the model fits.

#include "polyad/command.hpp"

#include <polyad/io/model_file.hpp>
#include <polyad/loss.hpp>
#include <polyad/report/html/report_data.hpp>
#include <polyad/report/svg/svg.hpp>
#include <polyad/tensor/tensor.hpp>

#include <optional>
#include <string>
#include <vector>

namespace polyad::cli {

/// Throws where a report cannot be written there: neither .html nor .svg, no such folder, ...
void check_report_path(const std::string& path);
/// What a report calls the model of a file.
std::string report_name(const std::string& path);

Option add_map_option(Command& command, std::vector<std::string>& arguments);
/// Tells on standard error which indices have no region, unless `quiet`.
std::vector<RegionMap> read_maps(const std::vector<std::string>& arguments, const Labels& labels,
                                 const std::vector<std::uint64_t>& extents, bool quiet);

/// An interactive page of all models (.html), or a picture of the first (.svg).
void write_report(const std::string& path, const std::vector<ReportModel>& models, const std::vector<RegionMap>& maps,
                  SvgOptions svg = {});

/// Judges the model by the data and puts the figures into the file. The loss is the one it was fitted with, by its
/// options; false where they tell none.
bool add_fit_quality(ModelFile& file, const Tensor& tensor, const std::string& data_path, const Records& held_out);

}  // namespace polyad::cli
