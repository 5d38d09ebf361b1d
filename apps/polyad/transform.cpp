// polyad transform MODEL DATA: the components' strengths for new slices.

#include "polyad/command.hpp"
#include "polyad/data_options.hpp"
#include "polyad/field_options.hpp"
#include "polyad/interrupt.hpp"
#include "polyad/print.hpp"

#include <polyad/apply/match_labels.hpp>
#include <polyad/apply/transform.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/model_file.hpp>

#include <fmt/format.h>

#include <memory>

namespace polyad::cli {

namespace {

struct TransformArguments {
  std::string model;
  DataArguments data;
  TransformOptions options;
  std::string output;
  bool quiet = false;
  bool json = false;
};

void print_result(const Transformed& result, const std::string& output) {
  print_out("{} rows of {}, largest KKT residual {:.2g}, from {}, {}\n", format_count(result.states.size()),
            result.labels.mode_name(result.mode), result.worst_residual, result.visited, duration(result.seconds));
  print_out("{} written: weights are in {}, components in the model's order\n", output,
            result.labels.mode_name(result.mode));
}

void print_warnings(const Transformed& result) {
  const auto warn = [&](RowState state, std::string_view what) {
    const std::vector<std::string> rows = result.labels_in(state);
    if (!rows.empty()) print_err("polyad: warning: {} {}: {}\n", format_count(rows.size()), what, some_labels(rows));
  };
  warn(RowState::no_data, "rows have no data and are zero");
  warn(RowState::stopped, "rows were not solved to the tolerance");
}

int run(const TransformArguments& arguments) {
  const std::string output = arguments.output.empty() ? unused_path(arguments.data.path, "-rows.h5") : arguments.output;
  check_writable(output);
  const ModelFile file = read_model(arguments.model);
  const bool silent = arguments.quiet || arguments.json;
  OpenedData data = arguments.data.open_for(file.labels, arguments.model, silent);
  Monitor monitor;
  monitor.interrupt = &watch_interrupts();
  const Transformed result = transform(file, std::move(data.tensor), arguments.options, monitor);
  if (!silent) {
    for (const std::string& remark : result.remarks) print_err("  {}\n", as_flags(remark));
  }
  ModelFile out = to_model_file(result, file);
  out.summary->json["command"] = command_line();
  write_model(output, out);
  if (arguments.json) {
    Json facts = out.summary->json["transform"];
    facts["model"] = output;
    print_as_json(facts);
  } else if (!arguments.quiet) {
    print_result(result, output);
  }
  if (!arguments.quiet) print_warnings(result);
  if (!result.interrupted) return exit_done;
  print_err("polyad: interrupted; {} holds the {} rows found so far\n", output, result.states.size());
  return exit_interrupted;
}

}  // namespace

void add_transform(Command& app) {
  Command command = app.add_subcommand(
      "transform", "Find how strong a model's components are in new slices: new days, users, samples; all else fixed");
  auto arguments = std::make_shared<TransformArguments>();
  command.add_option("MODEL", arguments->model, "model file: polyad .h5, .npz, .mat or Tensor Toolbox text").required();
  arguments->data.add_file_to(command);
  add_fields(command, "Rows", arguments->options, {{"loss", "l"}});
  arguments->data.add_options_to(command);
  command
      .add_option("-o,--output", arguments->output,
                  "model file to write (.h5), or a table of the factors (.csv); otherwise named after DATA")
      .type_name("FILE")
      .group("Output");
  command.add_flag("-q,--quiet", arguments->quiet, "print errors only").group("Output");
  command.add_flag("--json", arguments->json, "print what is to be known of the rows as JSON").group("Output");
  command.footer(
      "Labels are matched by name: hours and places are the model's, in any order; the mode with new labels is found "
      "by them.\n"
      "DATA may also be a table (.csv) where the model's own data came from 'polyad import'.\n"
      "Examples:\n"
      "  polyad transform model.h5 august.h5 -o august-rows.h5\n"
      "  polyad transform model.h5 august.csv --unknown ignore -o august-rows.csv\n"
      "  polyad transform model.h5 all-days.h5 --mode day");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
