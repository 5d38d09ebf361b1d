// polyad fit: from a tensor file to a model file.

#include "polyad/command.hpp"
#include "polyad/data_options.hpp"
#include "polyad/field_options.hpp"
#include "polyad/interrupt.hpp"
#include "polyad/print.hpp"
#include "polyad/progress_line.hpp"
#include "polyad/report_output.hpp"

#include <polyad/base/clock.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/evaluate/notes.hpp>
#include <polyad/fields.hpp>
#include <polyad/fit.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/model/shared_labels.hpp>
#include <polyad/solve/method_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace polyad::cli {

namespace {

struct FitArguments {
  DataArguments data;
  FitOptions fit;
  std::string output;
  std::string report;
  std::vector<std::string> maps;
  std::string start_from;
  bool quiet = false;
  bool verbose = false;
  bool json = false;
};

// Losses in the order of the starts, so that they can be found again in the report and in --json.
void print_starts(const FitResult& result) {
  std::vector<std::string> losses;
  const bool exact = std::ranges::all_of(result.starts, [](const StartSummary& s) { return s.exact_loss.has_value(); });
  for (const StartSummary& s : result.starts) {
    losses.push_back(fmt::format("{:.8g}", exact ? *s.exact_loss : s.before_finish()));
  }
  print_out("{} losses of starts 1 to {}{}: {}\n", exact ? "exact" : "estimated", losses.size(),
            result.options.finish != Finish::none ? ", before the exact finish of the best" : "", joined(losses, "  "));
}

void print_result(const FitResult& result, const FitArguments& arguments, const std::string& output) {
  print_out("loss {:.8g}{}", result.exact_loss.value_or(result.estimate),
            result.exact_loss ? " (exact)" : " (estimated)");
  if (result.starts.size() > 1) {
    print_out(", best of {} starts (start {})", result.starts.size(), result.starts[result.best_start].start + 1);
  }
  if (result.why == StopReason::time_limit || result.why == StopReason::interrupted)
    print_out(", {}", word_of(result.why));
  print_out(", {}\n", duration(result.seconds));
  if (result.starts.size() > 1) print_starts(result);
  print_out("{}\n", sentence(result.verdict));
  if (arguments.verbose) print_out("{}\n", details(result));
  print_out("model written to {}\n", output);
  if (!arguments.report.empty()) print_out("report written to {}\n", arguments.report);
  print_out("read it with: polyad show {}\n", output);
}

int run(const FitArguments& arguments) {
  if (arguments.fit.rank == 0)
    fail(ErrorKind::usage, "`rank` must be given and at least 1: the number of components to find");
  const std::string output = arguments.output.empty() ? unused_model_path(arguments.data.path) : arguments.output;
  check_output(output, FileHolds::model);
  if (!arguments.report.empty()) check_report_path(arguments.report);

  const Stopwatch reading;
  const OpenedData data = arguments.data.open(arguments.quiet);
  const Tensor& tensor = data.tensor;
  const double read_seconds = reading.seconds();
  std::optional<KTensor> start_model;
  if (!arguments.start_from.empty()) {
    const ModelFile start = read_model(arguments.start_from);
    const std::vector<std::uint64_t> extents(tensor.space().extents().begin(), tensor.space().extents().end());
    start_model = for_labels(start.model, {start.labels, start.model.factors.extents(), "the starting model"},
                             {tensor.labels(), extents, "the data"});
  }
  FitInputs inputs;
  if (start_model) inputs.start_from = &*start_model;
  const auto maps = read_maps(arguments.maps, tensor.labels(),
                              {tensor.space().extents().begin(), tensor.space().extents().end()}, arguments.quiet);
  const FitPlan plan = polyad::plan(tensor, arguments.fit, inputs);
  if (!arguments.quiet) print_trusted(stderr, printable_lines(as_flags(describe(plan))));

  ProgressLine line(arguments.quiet, stderr_is_terminal());
  Monitor monitor;
  monitor.interrupt = &watch_interrupts();
  monitor.on_epoch = [&](const Progress& progress) { line.update(progress); };
  FitResult result = fit(plan, monitor);
  line.clear();

  const ModelFile file = judged(result, tensor,
                                {.data_file = arguments.data.path,
                                 .command = command_line(),
                                 .read_seconds = read_seconds,
                                 .held_out = &data.held_out});
  write_model(output, file);
  if (!arguments.report.empty()) write_report(arguments.report, {{report_name(output), file}}, {.maps = maps});
  if (arguments.json) {
    Json shown{{"model", output}};
    shown.update(short_json(file));
    print_as_json(shown);
  } else if (!arguments.quiet) {
    print_result(result, arguments, output);
  }
  if (!result.checkpoint_trouble.empty()) {
    print_err("polyad: the model is written, its checkpoint is not: {}\n", result.checkpoint_trouble);
  }
  for (const std::string& remark : arguments.quiet ? std::vector<std::string>() : result.remarks) {
    print_err("polyad: warning: {}\n", as_flags(remark));
  }
  // Quiet is for errors alone; a model that should not be used is one.
  const bool warn = !arguments.quiet || result.verdict.unusable();
  for (const std::string& warning : warn ? warnings(result.verdict) : std::vector<std::string>())
    print_err("polyad: warning: {}\n", warning);
  if (monitor.interrupted()) {
    const CheckpointOptions& kept = arguments.fit.checkpoint;
    const std::string state = kept.file.empty() ? kept.resume : kept.file;
    print_err("polyad: interrupted; the best model so far is in {}, go on {}\n", output,
              state.empty() ? fmt::format("from it with --start-from {}", output)
                            : fmt::format("exactly where it stopped with --resume {}", state));
    return exit_interrupted;
  }
  return result.verdict.unusable() ? exit_unusable : exit_done;
}

}  // namespace

void add_fit(Command& app) {
  Command command = app.add_subcommand("fit", "Fit a model: find the components of a tensor");
  auto arguments = std::make_shared<FitArguments>();
  arguments->data.add_file_to(command);
  for_each_group(arguments->fit, [&](std::string_view title, auto& group) {
    add_fields(command, title, group, {{"rank", "r"}, {"loss", "l"}});
  });
  arguments->data.add_options_to(command);
  command
      .add_option("-o,--output", arguments->output,
                  "model file to write: .h5, which keeps everything about the fit, or another format of models; "
                  "otherwise an .h5 named after DATA")
      .type_name("FILE")
      .group("Output");
  command.add_option("--report", arguments->report, "also write a report (.html) or a picture of the components (.svg)")
      .type_name("FILE")
      .group("Output");
  add_map_option(command, arguments->maps).group("Output");
  command.add_option("--start-from", arguments->start_from, "model file that the first start begins from")
      .type_name("FILE")
      .group("Start");
  command.add_flag("-q,--quiet", arguments->quiet, "print errors only").group("Output");
  command.add_flag("--verbose", arguments->verbose, "also say how the best start ended, with the numbers of its method")
      .group("Output");
  command.add_flag("--json", arguments->json, "print the result as JSON").group("Output");
  command.footer(
      "Examples:\n"
      "  polyad fit crime.tns.gz --rank 10 --loss poisson\n"
      "  polyad fit votes.tns --rank 4 --loss bernoulli-odds --starts 20 -o votes.h5\n"
      "  polyad fit ratings.tns --unlisted missing --rank 8 --loss gaussian\n"
      "  polyad fit spectra.npy --rank 3 --loss huber:delta=0.5 --lower 0\n"
      "  polyad fit crime.tns.gz --rank 10 --loss poisson --holdout blocks:day=7");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
