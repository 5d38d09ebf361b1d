// polyad select DATA: which rank, by cells that no fit has seen.

#include "polyad/command.hpp"
#include "polyad/data_options.hpp"
#include "polyad/field_options.hpp"
#include "polyad/interrupt.hpp"
#include "polyad/print.hpp"

#include <polyad/base/error.hpp>
#include <polyad/evaluate.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/select.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <type_traits>

namespace polyad::cli {

namespace {

struct SelectArguments {
  DataArguments data;
  FitOptions fit;
  SelectOptions select;
  std::string output;
  bool quiet = false;
  bool json = false;
};

void show_progress(const SelectProgress& news) {
  const std::string left = news.seconds_left ? fmt::format(", about {} left", duration(*news.seconds_left)) : "";
  print_err("rank {}, repeat {} of {} ({} fits done in {}{})\n", news.rank, news.repeat + 1, news.repeats,
            news.fits_done, duration(news.seconds), left);
}

int run(const SelectArguments& arguments) {
  if (!arguments.output.empty()) check_output(arguments.output, FileHolds::model);
  const OpenedData data = arguments.data.open(arguments.quiet);
  SelectMonitor monitor;
  monitor.fit.interrupt = &watch_interrupts();
  if (!arguments.quiet) monitor.on_fit = show_progress;
  const Choice choice = select(data.tensor, arguments.fit, arguments.select, monitor);
  if (arguments.json) {
    print_as_json(Json::parse(json_text(choice)));
  } else {
    print_trusted(stdout, printable_lines(as_flags(describe(choice))));
  }
  for (const std::string& remark : arguments.quiet ? std::vector<std::string>() : choice.remarks) {
    print_err("polyad: warning: {}\n", as_flags(remark));
  }
  if (monitor.fit.interrupted()) return exit_interrupted;
  if (arguments.output.empty()) return exit_done;

  FitOptions options = arguments.fit;
  options.rank = choice.chosen().rank;
  options.holdout = {};
  FitResult result = fit(data.tensor, options, monitor.fit);
  write_model(arguments.output,
              judged(result, data.tensor,
                     {.data_file = arguments.data.path, .command = command_line(), .held_out = &data.held_out}));
  if (!arguments.json && !arguments.quiet) {
    print_out("rank {} fitted to all data: {}\nmodel written to {}\n", options.rank, sentence(result.verdict),
              arguments.output);
  }
  return result.verdict.unusable() ? exit_unusable : exit_done;
}

}  // namespace

void add_select(Command& app) {
  Command command = app.add_subcommand("select", "Choose the rank: how many components the data support");
  auto arguments = std::make_shared<SelectArguments>();
  arguments->data.add_file_to(command);
  add_fields(command, "Selection", arguments->select);
  for_each_group(arguments->fit, [&](std::string_view title, auto& group) {
    using Group = std::remove_cvref_t<decltype(group)>;
    if constexpr (std::is_same_v<Group, MainOptions>) {
      add_fields(command, title, group, {{"loss", "l"}}, {"rank"});
    } else if constexpr (!std::is_same_v<Group, CheckpointOptions>) {
      add_fields(command, title, group);
    }
  });
  arguments->data.add_options_to(command);
  command
      .add_option("-o,--output", arguments->output,
                  "also fit the recommended rank to all data and write the model: .h5 or another format of models")
      .type_name("FILE")
      .group("Output");
  command.add_flag("-q,--quiet", arguments->quiet, "print the result and errors only").group("Output");
  command.add_flag("--json", arguments->json, "print the result as JSON").group("Output");
  command.footer(
      "Every rank is fitted to the same data without the held-out cells, from the same seeds, and judged on these "
      "cells.\n"
      "The smallest rank within one standard error of the best is recommended (docs/choosing.md).\n\n"
      "Examples:\n"
      "  polyad select crime.tns.gz --loss poisson\n"
      "  polyad select events.h5 --loss poisson --ranks 2:12 --holdout blocks:day=7\n"
      "  polyad select spectra.npy --loss gaussian --lower 0 --repeats 5 -o spectra-model.h5");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
