// polyad import: from a table of rows to a tensor.

#include "polyad/command.hpp"
#include "polyad/field_options.hpp"
#include "polyad/print.hpp"

#include <polyad/files.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/tensor/tensor.hpp>

#include <polyad/base/text.hpp>
#include <polyad/tensor.hpp>

#include <fmt/format.h>

#include <memory>

namespace polyad::cli {

namespace {

struct ImportArguments {
  std::string path;
  ImportOptions options;
  std::string output;
  bool quiet = false;
  bool json = false;
};

void print_text(const ImportArguments& arguments, const Tensor& tensor, const ImportReport& report) {
  print_out("{} rows read, {} used", format_count(report.rows), format_count(report.used));
  for (const auto& [column, rows] : report.empty) print_out("; {} left out: '{}' is empty", format_count(rows), column);
  if (report.bad > 0) print_out("; {} skipped: a cell could not be read", format_count(report.bad));
  print_out("\n");
  const Labels& labels = tensor.labels();
  for (std::size_t k = 0; k < labels.modes(); ++k) {
    const std::size_t n = labels.mode(k).entries.size();
    print_out("  {:<16} {:>9}   {} ... {}\n", labels.mode_name(k), format_count(std::uint64_t{n}), labels.entry(k, 0),
              labels.entry(k, n - 1));
  }
  print_out("{} written: {}\n", arguments.output, describe(tensor));
}

int run(const ImportArguments& arguments) {
  check_output(arguments.output, FileHolds::tensor);
  ImportReport report;
  Remarks remarks;
  const Tensor tensor = import_table(arguments.path, arguments.options, report, &remarks);
  write_tensor(arguments.output, tensor);
  if (arguments.json) {
    Json shown{{"output", arguments.output}};
    shown.update(to_json(report, tensor));
    print_as_json(shown);
  } else if (!arguments.quiet) {
    for (const std::string& remark : remarks) print_err("  {}\n", as_flags(remark));
    print_text(arguments, tensor, report);
  }
  return exit_done;
}

}  // namespace

void add_import(Command& app) {
  Command command =
      app.add_subcommand("import", "Make a tensor from a table (CSV): each mode a column, or a function of one");
  auto arguments = std::make_shared<ImportArguments>();
  command
      .add_option("TABLE", arguments->path, "table with a header line: .csv, also with other separators, .gz or .zst")
      .required();
  add_fields(command, "Table", arguments->options, {{"mode", "m"}});
  command.add_option("-o,--output", arguments->output, "tensor to write: .h5 keeps labels, as do .tns, .npz and .mat")
      .type_name("FILE")
      .required()
      .group("Output");
  command.add_flag("-q,--quiet", arguments->quiet, "print errors only").group("Output");
  command.add_flag("--json", arguments->json, "machine-readable summary").group("Output");
  command.footer(
      "Examples:\n"
      "  polyad import crimes.csv.gz --mode day=Date:day --mode hour=Date:hour --mode area=\"Community Area\" "
      "--mode type=\"Primary Type\" -o crimes.h5\n"
      "  polyad import sales.csv --mode week=sold:week --mode shop --mode price=price:bin=5 --value amount "
      "--order shop=frequency -o sales.h5");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
