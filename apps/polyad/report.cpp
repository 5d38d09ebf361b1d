// polyad report: a model, or several, to look at in a browser or on paper.

#include <polyad/base/error.hpp>
#include <polyad/evaluate.hpp>
#include "polyad/command.hpp"
#include "polyad/data_options.hpp"
#include "polyad/print.hpp"
#include "polyad/report_output.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace polyad::cli {

namespace {

struct ReportArguments {
  std::vector<std::string> models;
  std::string output;
  std::string picture;
  std::vector<std::string> maps;
  DataArguments data;
  SvgOptions svg;
};

void check_paths(const ReportArguments& arguments) {
  if (arguments.output.empty() && arguments.picture.empty()) {
    fail(ErrorKind::usage, "nothing to write: give -o report.html, --svg components.svg or both");
  }
  if (!arguments.output.empty()) check_report_path(arguments.output);
  if (arguments.picture.empty()) return;
  if (std::filesystem::path(arguments.picture).extension() != ".svg") {
    fail(ErrorKind::usage, "--svg: '{}' must be a name that ends in .svg", arguments.picture);
  }
  check_report_path(arguments.picture);
}

int run(const ReportArguments& arguments) {
  check_paths(arguments);
  std::vector<ReportModel> models;
  for (const std::string& path : arguments.models) models.push_back({report_name(path), read_model(path)});
  const ModelFile& first = models.front().file;
  const auto maps = read_maps(arguments.maps, first.labels, first.model.factors.extents(), false);
  if (!arguments.data.path.empty()) {
    const OpenedData data = arguments.data.open(false);
    for (ReportModel& model : models) {
      if (!judge(model.file, data.tensor, {.data_file = arguments.data.path, .held_out = &data.held_out})) {
        print_err("{} does not say which loss it was fitted with, so it was not judged by the data\n", model.name);
      }
    }
  }
  for (const std::string& path : {arguments.picture, arguments.output}) {
    if (path.empty()) continue;
    write_report(path, models, {.title = arguments.svg.title, .maps = maps}, arguments.svg);
    print_out("written to {}: open it in a browser\n", path);
  }
  return exit_done;
}

}  // namespace

void add_report(Command& app) {
  Command command = app.add_subcommand(
      "report", "Look at models: one interactive page that opens offline (HTML), or a static picture (SVG)");
  auto arguments = std::make_shared<ReportArguments>();
  command.add_option("MODEL", arguments->models, "model file; several are compared").required();
  command.add_option("-o,--output", arguments->output, "report (.html) or picture (.svg) to write").type_name("FILE");
  command.add_option("--svg", arguments->picture, "also write the picture: components by modes, without a browser")
      .type_name("FILE");
  add_map_option(command, arguments->maps);
  command
      .add_option("--data", arguments->data.path,
                  "the tensor, to judge the fit by; only needed for models that were not judged when they were fitted")
      .type_name("FILE");
  command.add_option("--title", arguments->svg.title, "heading of the report or picture").type_name("TEXT");
  command.add_option("--top", arguments->svg.top, "picture: entries to show of a mode with many names")
      .type_name("COUNT")
      .range(1, 1000000)
      .capture_default_str();
  command
      .add_option("--components", arguments->svg.components, "picture: how many components, from the first on; 0: all")
      .type_name("COUNT")
      .capture_default_str();
  arguments->data.add_options_to(command);
  command.footer(
      "Examples:\n"
      "  polyad report model.h5 -o report.html\n"
      "  polyad report crime.h5 -o report.html --map area=areas.geojson:community\n"
      "  polyad report rank8.h5 rank10.h5 -o compare.html\n"
      "  polyad report model.h5 --svg components.svg --components 5");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
