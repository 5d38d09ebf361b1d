// polyad surprise MODEL DATA: what in the data the model did not expect.

#include "polyad/command.hpp"
#include "polyad/data_options.hpp"
#include "polyad/field_options.hpp"
#include "polyad/print.hpp"
#include "polyad/report_output.hpp"

#include <polyad/apply/surprise.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/model_file.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace polyad::cli {

namespace {

struct SurpriseArguments {
  std::string model;
  DataArguments data;
  SurpriseOptions options;
  std::string output;
  std::vector<std::string> maps;
  bool quiet = false;
  bool json = false;
};

void check_output_name(const std::string& path) {
  if (path.empty()) return;
  const std::string extension = std::filesystem::path(path).extension();
  if (extension != ".csv" && extension != ".json" && extension != ".html") {
    fail(ErrorKind::usage, "-o: '{}' must be a name that ends in .csv, .json or .html", path);
  }
  check_writable(path);
}

void write(const SurpriseArguments& arguments, const ModelFile& file, const Surprise& result) {
  if (std::filesystem::path(arguments.output).extension() != ".html") return write_surprise(arguments.output, result);
  ReportModel shown{report_name(arguments.model), to_model_file(result, file)};
  shown.surprise = Notes::from_text(surprise_json(result));
  const auto maps = read_maps(arguments.maps, shown.file.labels, shown.file.model.factors.extents(), arguments.quiet);
  write_report(arguments.output, {std::move(shown)}, {.maps = maps});
}

int run(const SurpriseArguments& arguments) {
  check_output_name(arguments.output);
  const ModelFile file = read_model(arguments.model);
  const bool silent = arguments.quiet || arguments.json;
  OpenedData data = arguments.data.open_for(file.labels, arguments.model, silent);
  const Surprise result = surprise(file, std::move(data.tensor), arguments.options);
  if (!arguments.quiet) {
    for (const std::string& remark : result.remarks) print_err("  {}\n", as_flags(mark_options(remark)));
  }
  if (!arguments.output.empty()) write(arguments, file, result);
  if (arguments.json) {
    print_trusted(stdout, printable_lines(surprise_json(result)));
  } else if (!arguments.quiet) {
    print_trusted(stdout, printable_lines(surprise_text(result)));
  }
  if (!silent)
    print_err("{}{}\n", arguments.output.empty() ? "" : arguments.output + " written; ", duration(result.seconds));
  return exit_done;
}

}  // namespace

void add_surprise(Command& app) {
  Command command = app.add_subcommand(
      "surprise", "Find what a model did not expect: cells, days, places; more than expected and less, zeros too");
  auto arguments = std::make_shared<SurpriseArguments>();
  command.add_option("MODEL", arguments->model, "model file: polyad .h5, .npz, .mat or Tensor Toolbox text").required();
  arguments->data.add_file_to(command);
  add_fields(command, "Surprise", arguments->options, {{"loss", "l"}});
  arguments->data.add_options_to(command);
  command
      .add_option("-o,--output", arguments->output,
                  "file to write: a table (.csv), all of it (.json), or a report to look at (.html)")
      .type_name("FILE")
      .group("Output");
  add_map_option(command, arguments->maps).group("Output");
  command.add_flag("-q,--quiet", arguments->quiet, "print errors only").group("Output");
  command.add_flag("--json", arguments->json, "print the lists as JSON").group("Output");
  command.footer(
      "p says how probable a value is that is as far from what the model expects, or farther. Marked are those that "
      "stay "
      "improbable\n"
      "although so many cells were looked at. New days get rows first, from these data; all else is the model's.\n"
      "Examples:\n"
      "  polyad surprise model.h5 august.h5 --top 50\n"
      "  polyad surprise model.h5 august.csv --direction less -o silent.csv\n"
      "  polyad surprise model.h5 august.h5 -o august.html\n"
      "  polyad surprise model.h5 year.h5 --mode day --dispersion 1");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
