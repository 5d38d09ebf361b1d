// polyad check: what in a file is likely to be a mistake, and a clean copy.

#include "polyad/command.hpp"
#include "polyad/data_options.hpp"
#include "polyad/print.hpp"

#include <polyad/base/error.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/model_file.hpp>

#include <polyad/tensor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace polyad::cli {

namespace {

struct CheckArguments {
  DataArguments data;
  std::string fix;
  bool json = false;
};

void print_text(const CheckArguments& arguments, const Inspection& found) {
  print_out("{}: {}\n", arguments.data.path, describe(found.tensor));
  for (const Finding& finding : found.findings) {
    print_out("  {} {}\n", finding.fixable ? "!" : "-", as_flags(finding.text));
    std::string examples = joined(finding.examples, "; ");
    if (finding.count > finding.examples.size()) examples += "; ...";
    print_out("      {}\n", examples);
  }
  if (found.findings.empty()) print_out("  no problems found\n");
}

int check_model(const CheckArguments& arguments) {
  const ModelFile file = read_model(arguments.data.path);
  if (!arguments.fix.empty()) fail(ErrorKind::usage, "--fix is for tensors; {} holds a model", arguments.data.path);
  const bool finite = file.model.factors.all_finite();
  print_out("{}: a model of {}, rank {}{}\n", arguments.data.path, IndexSpace(file.model.factors.extents()).to_string(),
            file.model.rank(), finite ? ", every value finite" : "; some of its values are not finite");
  return finite ? exit_done : exit_data;
}

int run(const CheckArguments& arguments) {
  if (!arguments.fix.empty()) check_output(arguments.fix, FileHolds::tensor);
  if (what_file_holds(arguments.data.path) == FileHolds::model) return check_model(arguments);
  const Inspection found = inspect_file(arguments.data.path, read_options(arguments.data.options));
  const bool fixable = std::ranges::any_of(found.findings, &Finding::fixable);
  if (!arguments.fix.empty()) {
    Tensor clean = found.tensor;
    apply_labels(arguments.data.options, clean);
    write_tensor(arguments.fix, clean);
  }
  if (arguments.json) {
    Json shown = to_json(found, flag);
    if (!arguments.fix.empty()) shown["fixed"] = arguments.fix;
    print_as_json(shown);
    return fixable && arguments.fix.empty() ? exit_data : exit_done;
  }
  for (const std::string& remark : found.remarks) print_err("  {}\n", as_flags(remark));
  print_text(arguments, found);
  if (!arguments.fix.empty()) {
    print_out("{} written: {}\n", arguments.fix, describe(found.tensor));
    return exit_done;
  }
  if (!fixable) return exit_done;
  print_out("a copy without what is marked by ! is written by: polyad check {} --fix FILE\n", arguments.data.path);
  return exit_data;
}

}  // namespace

void add_check(Command& app) {
  Command command = app.add_subcommand(
      "check", "Look for mistakes in a tensor file: duplicates, zeros, NaN, negative values, empty slices, wrong base");
  auto arguments = std::make_shared<CheckArguments>();
  arguments->data.add_file_to(command);
  arguments->data.add_options_to(command);
  command.add_option("--fix", arguments->fix, "write a clean copy, in the format of its extension")
      .type_name("FILE")
      .group("Output");
  command.add_flag("--json", arguments->json, "machine-readable output").group("Output");
  command.footer("Exit code 0: nothing to fix (or a clean copy was written); 3: there is.");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
