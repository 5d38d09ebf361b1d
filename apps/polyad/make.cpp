// polyad make: tensors with a known answer.

#include "polyad/command.hpp"
#include "polyad/field_options.hpp"
#include "polyad/print.hpp"

#include <polyad/base/error.hpp>
#include <polyad/fields.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>
#include <polyad/model.hpp>
#include <polyad/problems/problem.hpp>
#include <polyad/tensor/tensor.hpp>

#include <polyad/tensor.hpp>

#include <fmt/format.h>

#include <memory>

namespace polyad::cli {

namespace {

template <class Options>
struct MakeArguments {
  Options options;
  std::string output;
  std::string truth;
  std::string hidden;
};

template <class Options>
int run(const MakeArguments<Options>& arguments) {
  check_output(arguments.output, FileHolds::tensor);
  if (!arguments.truth.empty()) check_output(arguments.truth, FileHolds::model);
  if (!arguments.hidden.empty()) check_output(arguments.hidden, FileHolds::tensor);
  const Problem problem = make_problem(arguments.options);
  write_tensor(arguments.output, problem.tensor);
  print_out("{}\n{} written: {}\n", problem.describe, arguments.output, describe(problem.tensor));
  if (!arguments.truth.empty()) {
    ModelFile truth;
    truth.model = problem.truth;
    normalize(truth.model);
    truth.labels = problem.labels;
    truth.summary->json["problem"] = problem.describe;
    if (!problem.component_names.empty()) truth.summary->json["component-names"] = problem.component_names;
    write_model(arguments.truth, truth);
    print_out("{} written: the true model, rank {}\n", arguments.truth, problem.truth.rank());
  }
  if (!arguments.hidden.empty()) {
    if (problem.hidden.size() == 0) fail(ErrorKind::usage, "--hidden: nothing is hidden; give --missing as well");
    write_tensor(arguments.hidden, SparseTensor(problem.tensor.space(), problem.hidden, Unlisted::missing));
    print_out("{} written: the {} hidden cells and their values\n", arguments.hidden, problem.hidden.size());
  }
  return exit_done;
}

template <class Options>
void add_kind(Command& make) {
  Command command = make.add_subcommand(std::string(word_of(Options::kind)), std::string(Options::help));
  auto arguments = std::make_shared<MakeArguments<Options>>();
  add_fields(command, "Problem", arguments->options);
  command.add_option("-o,--output", arguments->output, "tensor to write: .h5 (keeps labels), .tns, .tns.gz or .npy")
      .type_name("FILE")
      .required()
      .group("Output");
  command.add_option("--truth", arguments->truth, "also write the true model (.h5), to score fits against")
      .type_name("FILE")
      .group("Output");
  bool can_hide = false;
  for_each_field<Options>([&](const auto& f) { can_hide = can_hide || f.name == "missing"; });
  if (can_hide) {
    command.add_option("--hidden", arguments->hidden, "also write the hidden cells with their values (.tns)")
        .type_name("FILE")
        .group("Output");
  }
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace

void add_make(Command& app) {
  Command make = app.add_subcommand("make", "Make a tensor with a known answer: demo data and test problems");
  make.require_subcommand();
  make.footer(
      "Examples:\n"
      "  polyad make city -o city.h5 --truth city-truth.h5\n"
      "  polyad make binary --shape 200x150x100x50 --rank 5 --seed 3 -o binary.tns.gz --truth truth.h5");
  add_kind<CityOptions>(make);
  add_kind<BinaryOptions>(make);
  add_kind<PoissonOptions>(make);
  add_kind<GammaOptions>(make);
  add_kind<GaussianOptions>(make);
}

}  // namespace polyad::cli
