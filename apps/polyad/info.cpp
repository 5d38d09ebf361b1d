// polyad info: what is in a file, and which losses suit it.

#include "polyad/command.hpp"
#include "polyad/data_options.hpp"
#include "polyad/print.hpp"

#include <polyad/base/text.hpp>
#include <polyad/evaluate/notes.hpp>
#include <polyad/fit/check_data.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace polyad::cli {

namespace {

struct InfoArguments {
  DataArguments data;
  bool json = false;
};

// Bars by logarithm, so that a handful of large values shows beside a million zeros; the line above and the numbers say so.
void print_histogram(const std::vector<HistogramBar>& bars, double observed) {
  if (bars.size() < 2) return;
  std::size_t width = std::string_view("value").size();
  for (const HistogramBar& bar : bars) width = std::max(width, bar.label.size());
  constexpr double longest = 40;
  print_out("  {:>{}}  {:<41}  cells\n", "value", width, "(bars: logarithm of the number of cells)");
  for (const HistogramBar& bar : bars) {
    const auto length = static_cast<std::size_t>(1 + longest * std::log1p(bar.count) / std::log1p(observed));
    print_out("  {:>{}}  {:<41}  {}\n", bar.label, width, std::string(length, '#'), format_count(bar.count));
  }
}

void print_text(const Tensor& tensor, const ValueFacts& facts) {
  const Labels& labels = tensor.labels();
  print_out("{}\n\n", describe(tensor));
  for (std::size_t k = 0; k < tensor.space().modes(); ++k) {
    const std::uint64_t n = tensor.space().extent(k);
    print_out("  {:<16} {:>9}", labels.mode_name(k), format_count(n));
    if (!labels.mode(k).entries.empty()) print_out("   {} ... {}", labels.entry(k, 0), labels.entry(k, n - 1));
    print_out("\n");
  }
  if (facts.observed == 0) {
    print_out("\nEvery cell is missing: there is nothing to fit.\n");
    return;
  }
  print_out("\nvalues {} to {}, mean {:.4g}; {} of {} observed cells are zero ({:.4g} %)\n", facts.least,
            facts.greatest, facts.mean, format_count(facts.zeros), format_count(facts.observed),
            100 * facts.zeros / facts.observed);
  print_histogram(value_histogram(tensor, facts), facts.observed);
  if (const std::string ratings = unlisted_ratings(tensor); !ratings.empty()) print_out("\n{}\n", as_flags(ratings));
  print_out("\nlosses that suit them:\n");
  for (const LossAdvice& advice : advise_losses(tensor)) {
    print_out("  {:<24} {}\n", advice.loss, as_flags(advice.reason));
  }
}

int run(const InfoArguments& arguments) {
  const Tensor tensor = arguments.data.open(arguments.json).tensor;
  if (arguments.json) {
    print_as_json(tensor_json(tensor, flag));
  } else {
    print_text(tensor, value_facts(tensor));
  }
  return exit_done;
}

}  // namespace

void add_info(Command& app) {
  Command command =
      app.add_subcommand("info", "Describe a tensor file: dimensions, labels, values, which losses suit it");
  auto arguments = std::make_shared<InfoArguments>();
  arguments->data.add_file_to(command);
  arguments->data.add_options_to(command);
  command.add_flag("--json", arguments->json, "machine-readable output");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
