// polyad compare BEFORE AFTER: what became stronger, weaker, new, gone.

#include "polyad/command.hpp"
#include "polyad/field_options.hpp"
#include "polyad/print.hpp"
#include "polyad/report_output.hpp"

#include <polyad/io/model_file.hpp>
#include <polyad/report/text/compare.hpp>

#include <memory>

namespace polyad::cli {

namespace {

struct CompareArguments {
  std::string before;
  std::string after;
  ChangeOptions options;
  std::string output;
  std::vector<std::string> maps;
  bool json = false;
};

int run(const CompareArguments& arguments) {
  if (!arguments.output.empty()) check_report_path(arguments.output);
  const ReportModel before{report_name(arguments.before), read_model(arguments.before)};
  const ReportModel after{report_name(arguments.after), read_model(arguments.after)};
  const ModelComparison comparison = compare_models(before, after, arguments.options);
  if (arguments.json) {
    print_as_json(compare_json(comparison));
  } else {
    print_trusted(stdout, printable_lines(compare_text(comparison)));
  }
  if (arguments.output.empty()) return exit_done;
  const std::vector<RegionMap> maps =
      read_maps(arguments.maps, before.file.labels, before.file.model.factors.extents(), arguments.json);
  write_report(arguments.output, {before, after}, {.maps = maps});
  print_err("written to {}: open it in a browser\n", arguments.output);
  return exit_done;
}

}  // namespace

void add_compare(Command& app) {
  Command command = app.add_subcommand(
      "compare", "Say what became of a model's components in another one: stronger, weaker, new, gone, and where");
  auto arguments = std::make_shared<CompareArguments>();
  command.add_option("BEFORE", arguments->before, "model file").required();
  command.add_option("AFTER", arguments->after, "model file, of other data or another rank").required();
  add_fields(command, "Comparison", arguments->options, {});
  command.add_option("-o,--output", arguments->output, "also write a report of both (.html)")
      .type_name("FILE")
      .group("Output");
  add_map_option(command, arguments->maps).group("Output");
  command.add_flag("--json", arguments->json, "machine-readable output").group("Output");
  command.footer(
      "Components are matched one to one over the labels that both models have; ranks and labels may differ. A mode "
      "without a "
      "label in common (days of two months) is left out.\n"
      "Examples:\n"
      "  polyad compare july.h5 august.h5\n"
      "  polyad compare 2016.h5 2017.h5 -o years.html");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
