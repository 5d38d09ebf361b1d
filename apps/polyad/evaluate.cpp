// polyad evaluate MODEL DATA: how good a model is, whoever made it.

#include "polyad/command.hpp"
#include "polyad/data_options.hpp"
#include "polyad/print.hpp"

#include <polyad/base/error.hpp>
#include <polyad/evaluate/notes.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/loss.hpp>

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

namespace polyad::cli {

namespace {

struct EvaluateArguments {
  std::string model;
  DataArguments data;
  std::string loss;
  std::optional<double> lower;
  bool quiet = false;
  bool json = false;
};

// As asked for, else as the model was fitted.
Loss loss_for(const EvaluateArguments& arguments, const ModelFile& file) {
  if (!arguments.loss.empty()) return parse_loss(arguments.loss);
  const auto fitted = file.options->json.find("loss");
  if (fitted == file.options->json.end() || !fitted->is_string()) {
    fail(ErrorKind::usage, "{} does not say which loss it was fitted with; give --loss", arguments.model);
  }
  return parse_loss(fitted->get<std::string>());
}

void print_evaluation(const Evaluation& evaluation, const Loss& loss) {
  const ModelQuality& quality = evaluation.verdict.quality;
  if (quality.exact) {
    print_out("loss {:.10g} (exact, {})\n", quality.loss, loss.spec());
  } else {
    print_out("loss {:.8g} +- {:.2g} (estimated: too many cells for an exact figure, {})\n", quality.loss,
              quality.standard_error, loss.spec());
  }
  print_out("the best constant, {:.5g}, has {:.10g}; a model that equals the data {:.10g}\n", quality.null_value,
            quality.null_loss, quality.best_loss);
  if (quality.gradient) {
    print_out("gradient {:.4g}{}\n", *quality.gradient,
              quality.relative_gradient ? fmt::format(", relative {:.2g}", *quality.relative_gradient) : "");
  }
  print_out("component      weight   share  deviance lost without it\n");
  for (std::size_t j = 0; j < evaluation.components.size(); ++j) {
    const ComponentWorth& c = evaluation.components[j];
    print_out("{:>9}  {:>10.4g}  {:>4.1f} %  {}\n", j + 1, c.weight, 100 * c.share,
              std::isfinite(c.worth) ? fmt::format("{:.3g} %", 100 * c.worth) : "-");
  }
  print_out("{}\n", sentence(evaluation.verdict));
}

int run(const EvaluateArguments& arguments) {
  const ModelFile file = read_model(arguments.model);
  const Loss loss = loss_for(arguments, file);
  const OpenedData data = arguments.data.open(arguments.quiet || arguments.json);
  check_same_cells(data.tensor, file.model, file.labels);
  EvaluateSettings settings = evaluate_settings(loss);
  if (arguments.lower) settings.lower = *arguments.lower;
  settings.held_out = &data.held_out;
  const Evaluation evaluation = evaluate(data.tensor, file.model, loss, settings);
  if (arguments.json) {
    print_as_json(to_json(evaluation));
  } else {
    print_evaluation(evaluation, loss);
  }
  for (const std::string& warning : warnings(evaluation.verdict)) {
    print_err("polyad: warning: {}\n", warning);
  }
  return evaluation.verdict.unusable() ? exit_unusable : exit_done;
}

}  // namespace

void add_evaluate(Command& app) {
  Command command = app.add_subcommand(
      "evaluate", "Judge a model, also one of another program: loss, gradient, deviance explained, a verdict");
  auto arguments = std::make_shared<EvaluateArguments>();
  command.add_option("MODEL", arguments->model, "model file: polyad .h5, .npz, .mat or Tensor Toolbox text").required();
  arguments->data.add_file_to(command);
  command.add_option("-l,--loss", arguments->loss, "loss to judge by; otherwise the one the model was fitted with")
      .type_name("LOSS");
  command.add_option("--lower", arguments->lower, "lower bound that the gradient is projected at; otherwise the loss's")
      .type_name("NUMBER");
  arguments->data.add_options_to(command);
  command.add_flag("-q,--quiet", arguments->quiet, "say nothing about the data");
  command.add_flag("--json", arguments->json, "machine-readable output");
  command.footer(
      "Examples:\n"
      "  polyad evaluate city-model.h5 city.h5\n"
      "  polyad evaluate theirs.npz counts.tns --loss poisson --json");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
