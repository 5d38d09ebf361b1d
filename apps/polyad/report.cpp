// polyad report: a picture of a model.

#include "polyad/command.hpp"
#include "polyad/component_names.hpp"

#include <polyad/io/atomic_file.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/report/svg.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace polyad::cli {

namespace {

struct ReportArguments {
  std::string model;
  std::string output;
  SvgOptions svg;
};

int run(const ReportArguments& arguments) {
  if (std::filesystem::path(arguments.output).extension() != ".svg") {
    fail(ErrorKind::usage, "{}: the picture is an SVG; give the output a name that ends in .svg", arguments.output);
  }
  check_writable(arguments.output);
  const ModelFile file = read_model(arguments.model);
  SvgOptions svg = arguments.svg;
  svg.names = component_names(file);
  write_text_file(arguments.output, components_svg(file.model, file.labels, svg));
  fmt::print("picture written to {}\n", arguments.output);
  return exit_done;
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("report", "Draw a model: a row a component, a column a mode (SVG)");
  auto arguments = std::make_shared<ReportArguments>();
  command->add_option("MODEL", arguments->model, "model file")->required();
  command->add_option("-o,--output", arguments->output, "picture to write (.svg)")->type_name("FILE")->required();
  command->add_option("--title", arguments->svg.title, "heading of the picture")->type_name("TEXT");
  command->add_option("--top", arguments->svg.top, "entries to show of a mode with many names")
      ->type_name("COUNT")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--components", arguments->svg.components, "how many components, largest first; 0: all")
      ->type_name("COUNT")
      ->capture_default_str();
  command->callback([&action, arguments] { action = [arguments] { return run(*arguments); }; });
}

}  // namespace polyad::cli
