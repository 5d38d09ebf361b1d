// polyad convert: a tensor or a model from one file format to another.

#include "polyad/command.hpp"
#include "polyad/data_options.hpp"
#include "polyad/print.hpp"

#include <polyad/io/atomic_file.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>

#include <polyad/tensor.hpp>

#include <fmt/format.h>

#include <memory>

namespace polyad::cli {

namespace {

struct ConvertArguments {
  DataArguments data;
  std::string output;
  std::string labels_prefix;
  std::string mat_version = "5";
  bool raw = false;
  bool quiet = false;
};

bool any_labels(const Labels& labels) {
  for (std::size_t k = 0; k < labels.modes(); ++k) {
    if (!labels.mode(k).entries.empty()) return true;
  }
  return false;
}

// One file per mode, as --labels reads them.
void save_labels(const std::string& prefix, const Labels& labels, bool quiet) {
  for (std::size_t k = 0; k < labels.modes(); ++k) {
    if (labels.mode(k).entries.empty()) continue;
    std::string text;
    for (const std::string& entry : labels.mode(k).entries) text += entry + "\n";
    const std::string path = fmt::format("{}-{}.txt", prefix, k + 1);
    write_text_file(path, text);
    if (!quiet) print_out("{} written: labels of {}\n", path, labels.mode_name(k));
  }
}

void report_labels(const ConvertArguments& arguments, FileHolds what, const Labels& labels) {
  if (!arguments.labels_prefix.empty()) save_labels(arguments.labels_prefix, labels, arguments.quiet);
  if (arguments.quiet || !arguments.labels_prefix.empty() || keeps_labels(arguments.output, what) ||
      !any_labels(labels)) {
    return;
  }
  print_err("polyad: labels were left behind: this format has no place for them; --save-labels PREFIX keeps them\n");
}

int run(const ConvertArguments& arguments) {
  const FileHolds what = what_file_holds(arguments.data.path);
  check_output(arguments.output, what);
  const WriteOptions options{.mat_version_73 = arguments.mat_version == "7.3", .raw = arguments.raw};
  if (what == FileHolds::model) {
    const ModelFile file = read_model(arguments.data.path);
    write_model(arguments.output, file, options);
    if (!arguments.quiet) {
      print_out("{} written: a model of {}, rank {}\n", arguments.output,
                IndexSpace(file.model.factors.extents()).to_string(), file.model.rank());
    }
    report_labels(arguments, what, file.labels);
    return exit_done;
  }
  const Tensor tensor = arguments.data.open(arguments.quiet).tensor;
  write_tensor(arguments.output, tensor, options);
  if (!arguments.quiet) print_out("{} written: {}\n", arguments.output, describe(tensor));
  report_labels(arguments, what, tensor.labels());
  return exit_done;
}

}  // namespace

void add_convert(Command& app) {
  Command command = app.add_subcommand("convert", "Convert a tensor or a model to another file format");
  auto arguments = std::make_shared<ConvertArguments>();
  arguments->data.add_file_to(command);
  command
      .add_option(
          "OUTPUT", arguments->output,
          fmt::format("file to write; its extension gives the format: {}", writable_extensions(FileHolds::tensor)))
      .required();
  arguments->data.add_options_to(command);
  command
      .add_option("--mat-version", arguments->mat_version,
                  "version of a .mat file; 7.3 is used in any case where an array is beyond 2 GB")
      .type_name("5|7.3")
      .default_str("5")
      .one_of({"5", "7.3"})
      .group("Output");
  command.add_option("--save-labels", arguments->labels_prefix, "also write labels, as PREFIX-1.txt, PREFIX-2.txt, ...")
      .type_name("PREFIX")
      .group("Output");
  command
      .add_flag(
          "--raw", arguments->raw,
          "to .csv: labels as they are; otherwise an apostrophe keeps spreadsheets from computing those that begin "
          "with = + - @")
      .group("Output");
  command.add_flag("-q,--quiet", arguments->quiet, "print errors only").group("Output");
  command.footer(
      "Examples:\n"
      "  polyad convert crime.tns.gz crime.h5 --labels 1=days.txt\n"
      "  polyad convert model.h5 model.mat\n"
      "  polyad convert model.h5 factors.csv");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
