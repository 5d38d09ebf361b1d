#include "polyad/report_output.hpp"
#include "polyad/print.hpp"

#include <polyad/base/clock.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/joined.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/evaluate/data_facts.hpp>
#include <polyad/evaluate/diagnose.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/loss.hpp>
#include <polyad/report/html/html.hpp>
#include <polyad/report/mode_kind.hpp>
#include <polyad/report/text/component_names.hpp>

#include <fmt/format.h>

#include <filesystem>

namespace polyad::cli {

namespace {

bool is_picture(const std::string& path) {
  return std::filesystem::path(path).extension() == ".svg";
}

}  // namespace

void check_report_path(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  if (extension != ".html" && extension != ".htm" && extension != ".svg") {
    fail(ErrorKind::usage, "{}: give the report a name that ends in .html (interactive) or .svg (a picture)", path);
  }
  check_writable(path);
}

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

void write_report(const std::string& path, const std::vector<ReportModel>& models, const std::vector<RegionMap>& maps,
                  SvgOptions svg) {
  if (is_picture(path)) {
    const ModelFile& file = models.front().file;
    svg.names = component_names(file);
    svg.maps = maps;
    write_text_file(path, components_svg(file.model, file.labels, svg));
  } else {
    ReportOptions options;
    options.title = svg.title;
    options.maps = maps;
    write_text_file(path, report_html(models, options));
  }
}

bool add_fit_quality(ModelFile& file, const Tensor& tensor, const std::string& data_path, const Records& held_out) {
  const auto spec = file.options.find("loss");
  if (spec == file.options.end() || !spec->is_string()) return false;
  const Stopwatch clock;
  SampleOptions sample;
  const auto seed = file.options.find("estimate-seed");
  if (seed != file.options.end() && seed->is_number_unsigned()) sample.estimate_seed = seed->get<std::uint64_t>();
  const Loss loss = parse_loss(spec->get<std::string>());
  add_diagnostics(file, diagnose(tensor, file.model, loss, sample, &held_out));
  file.diagnostics["data"] = data_facts(tensor, std::filesystem::path(data_path).filename().string());
  file.summary["diagnose-seconds"] = clock.seconds();
  return true;
}

}  // namespace polyad::cli
