// polyad update MODEL DATA: a model goes on learning from new slices.

#include "polyad/command.hpp"
#include "polyad/data_options.hpp"
#include "polyad/field_options.hpp"
#include "polyad/interrupt.hpp"
#include "polyad/print.hpp"

#include <polyad/apply/update.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/model_file.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

namespace polyad::cli {

namespace {

struct UpdateArguments {
  std::string model;
  DataArguments data;
  UpdateOptions options;
  std::string memory;
  std::string output;
  bool quiet = false;
  bool json = false;
};

void print_result(const Updated& result, const std::string& output) {
  double before = 0, after = 0;
  for (const UpdatedSlice& slice : result.slices) {
    before += slice.before / static_cast<double>(result.slices.size());
    after += slice.after / static_cast<double>(result.slices.size());
  }
  print_out("{} slices of {}, loss per slice {:.6g} with the model as it was, {:.6g} now; {} sweeps ({}), {}\n",
            format_count(result.slices.size()), result.labels.mode_name(result.mode), before, after,
            result.trace.size(), word_of(result.why), duration(result.seconds));
  print_out("{} written: {} components ({} born, {} died), {} {}\n", output, result.model.rank(), result.born.size(),
            result.died.size(), format_count(result.remembered.size()), result.labels.mode_name(result.mode));
}

int run(const UpdateArguments& arguments) {
  const std::string output =
      arguments.output.empty() ? unused_path(arguments.data.path, "-model.h5") : arguments.output;
  check_output(output, FileHolds::model);
  if (!arguments.memory.empty()) check_output(arguments.memory, FileHolds::tensor);
  const ModelFile file = read_model(arguments.model);
  const bool silent = arguments.quiet || arguments.json;
  OpenedData data = arguments.data.open_for(file.labels, arguments.model, silent);
  std::optional<Tensor> memory;
  if (!arguments.memory.empty() && std::filesystem::exists(arguments.memory)) {
    memory = open_new_data(arguments.memory, {}, file.labels, arguments.model).tensor;
  }
  Monitor monitor;
  monitor.interrupt = &watch_interrupts();
  const Updated result = update(file, std::move(data.tensor), arguments.options,
                                {memory ? &*memory : nullptr, !arguments.memory.empty()}, monitor);
  if (!silent) {
    for (const std::string& remark : result.remarks) print_err("  {}\n", as_flags(remark));
  }
  ModelFile out = to_model_file(result, file, arguments.options);
  out.summary->json["command"] = command_line();
  write_model(output, out);
  if (result.memory) write_tensor(arguments.memory, *result.memory);
  if (arguments.json) {
    Json facts = out.summary->json["updates"].back();
    facts["model"] = output;
    print_as_json(facts);
  } else if (!arguments.quiet) {
    print_result(result, output);
  }
  if (result.why != StopReason::interrupted) return exit_done;
  print_err("polyad: interrupted; {} holds the model as far as it came\n", output);
  return exit_interrupted;
}

}  // namespace

void add_update(Command& app) {
  Command command = app.add_subcommand(
      "update", "Let a model go on learning from new slices, without the old data: modes grow, components come and go");
  auto arguments = std::make_shared<UpdateArguments>();
  command.add_option("MODEL", arguments->model, "model file: polyad .h5, .npz, .mat or Tensor Toolbox text").required();
  arguments->data.add_file_to(command);
  add_fields(command, "Update", arguments->options, {{"loss", "l"}});
  command
      .add_option(
          "--memory", arguments->memory,
          "tensor file with a sample of old slices, made where there is none and kept up to date; without it the "
          "old model alone stands for the old data")
      .type_name("FILE")
      .group("Update");
  arguments->data.add_options_to(command);
  command
      .add_option("-o,--output", arguments->output,
                  "model file to write (.h5 keeps everything); otherwise named after DATA")
      .type_name("FILE")
      .group("Output");
  command.add_flag("-q,--quiet", arguments->quiet, "print errors only").group("Output");
  command.add_flag("--json", arguments->json, "print what is to be known of the update as JSON").group("Output");
  command.footer(
      "Labels are matched by name; those that are new get rows of their own. The mode of the slices is the one with "
      "new "
      "labels.\n"
      "Examples:\n"
      "  polyad update model.h5 august.h5 -o model2.h5\n"
      "  polyad update model.h5 august.csv --forget 0.98 --mode day -o model2.h5\n"
      "  polyad update model.h5 august.h5 --memory kept.h5 --births none -o model2.h5");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
