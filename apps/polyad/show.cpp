// polyad show: a model in words.

#include "polyad/command.hpp"
#include "polyad/print.hpp"

#include <polyad/io/model_file.hpp>
#include <polyad/report.hpp>
#include <polyad/report/text/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace polyad::cli {

namespace {

struct ShowArguments {
  std::string model;
  ShowOptions show;
  bool json = false;
  bool csv = false;
};

int run(const ShowArguments& arguments) {
  const ModelFile file = read_model(arguments.model);
  ShowOptions show = arguments.show;
  show.names = component_names(file);
  show.width = std::clamp<std::size_t>(terminal_width(), 40, 400);
  show.color = use_color();
  if (arguments.json) {
    print_trusted(stdout, show_json(file.model, file.labels, show) + "\n");
  } else if (arguments.csv) {
    const std::string table = show_csv(file.model, file.labels, show);
    print_trusted(stdout, stdout_is_terminal() ? printable_lines(table) : table);
  } else {
    const std::string summary = fit_summary(file);
    if (!arguments.show.component && !summary.empty()) print_out("{}\n\n", cut_to(summary, show.width, show.ascii));
    print_trusted(stdout, show_text(file.model, file.labels, show));
  }
  return exit_done;
}

}  // namespace

void add_show(Command& app) {
  Command command =
      app.add_subcommand("show", "Read a model: each component with its weight and the strongest labels of each mode");
  auto arguments = std::make_shared<ShowArguments>();
  command.add_option("MODEL", arguments->model, "model file").required();
  command.add_option("--top", arguments->show.top, "entries to show of each mode")
      .type_name("COUNT")
      .range(1, 1000000)
      .capture_default_str();
  command
      .add_option("--component", arguments->show.component,
                  "only the component of this number (1 is the largest of a fitted model)")
      .type_name("NUMBER");
  command.add_flag("--ascii", arguments->show.ascii, "plain ASCII instead of block characters");
  Option json = command.add_flag("--json", arguments->json, "machine-readable: the top entries as JSON");
  command.add_flag("--csv", arguments->csv, "machine-readable: all entries as CSV").excludes(json);
  command.add_flag("--raw", arguments->show.raw,
                   "with --csv: labels as they are, also those that a spreadsheet takes for formulas");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
