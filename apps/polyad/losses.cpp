// polyad losses: what can be minimised, for which data.

#include "polyad/command.hpp"
#include "polyad/print.hpp"

#include <polyad/evaluate/notes.hpp>
#include <polyad/loss.hpp>

#include <fmt/format.h>

#include <memory>

namespace polyad::cli {

namespace {

void print_table() {
  print_out("Losses for --loss NAME (parameters as NAME:parameter=value):\n");
  for (const Loss& loss : all_losses()) {
    const LossInfo& info = loss.info();
    print_out("\n{}\n", info.name);
    print_out("  for      {}\n", info.data);
    print_out("  f(x,m)   {}\n", info.formula);
    print_out("  model    {}\n", info.link);
    print_out("  values   {}; factors {}\n", describe(info.domain), factor_bound(info));
    for (const auto& [name, value] : loss.parameters()) print_out("  {:<8} default {}\n", name, value);
  }
  print_out("\nexpr:FORMULA\n");
  print_out("  for      a loss of your own: --loss 'expr:m - x*log(m); lower=0; domain=count'\n");
  print_out("  f(x,m)   FORMULA, a C expression of x (data) and m (model); its derivative is found automatically\n");
  print_out("\n'polyad info DATA' says which of them suit a file.\n");
}

}  // namespace

void add_losses(Command& app) {
  Command command = app.add_subcommand("losses", "List the losses: what data each is for, its formula and parameters");
  auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "machine-readable output");
  command.runs([json] {
    if (*json) {
      print_as_json(losses_json(all_losses()));
    } else {
      print_table();
    }
    return exit_done;
  });
}

}  // namespace polyad::cli
