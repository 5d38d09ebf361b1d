// polyad bench: how fast is this machine, and which kernels were chosen?

#include "polyad/bench_tasks.hpp"
#include "polyad/command.hpp"
#include "polyad/print.hpp"

#include <polyad/base/fields.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/base/simd_target.hpp>
#include <polyad/base/text.hpp>
#include <polyad/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace polyad::cli {

namespace {

struct BenchArguments {
  std::vector<std::string> tasks;
  BenchOptions options;
  bool json = false;
  bool everything = false;
};

Json to_json(const BenchRow& row) {
  return {
      {"task", row.task},  {"what", row.what},     {"precision", row.precision}, {"threads", row.threads},
      {"unit", row.unit},  {"median", row.median}, {"least", row.least},         {"upper_quartile", row.upper_quartile},
      {"facts", row.facts}};
}

std::vector<const BenchTask*> chosen_tasks(const BenchArguments& arguments) {
  std::vector<const BenchTask*> chosen;
  std::vector<std::string_view> names;
  for (const BenchTask& task : bench_tasks()) {
    names.push_back(task.name);
    const bool asked = std::count(arguments.tasks.begin(), arguments.tasks.end(), task.name) > 0;
    if (asked || arguments.everything || (arguments.tasks.empty() && task.by_default)) chosen.push_back(&task);
  }
  for (const std::string& task : arguments.tasks) {
    if (std::count(names.begin(), names.end(), task) > 0) continue;
    fail(ErrorKind::usage, "unknown benchmark '{}'{}; there are {}", task, did_you_mean(task, names),
         joined(names, ", "));
  }
  return chosen;
}

int run(BenchArguments arguments) {
  const auto tasks = chosen_tasks(arguments);
  if (arguments.options.threads.empty()) {
    arguments.options.threads = {1};
    const std::size_t cores = thread_count(0);
    if (cores > 1) arguments.options.threads.push_back(std::min<std::size_t>(2, cores));
    if (cores > 2) arguments.options.threads.push_back(cores);
  }
  std::vector<std::string> supported;
  for (const SimdTarget t : supported_simd_targets()) supported.emplace_back(word_of(t));

  Json out;
  out["version"] = version;
  out["simd"] = word_of(simd_target());
  out["cores"] = thread_count(0);
  out["rows"] = Json::array();
  if (!arguments.json) {
    print_out("polyad {}, {} kernels (this CPU has {}; POLYAD_SIMD chooses), {} cores\n\n", version,
              word_of(simd_target()), joined(supported, ", "), thread_count(0));
    print_out("{:<44} {:>9} {:>7} {:>10} {:>10} {:>10}  {}\n", "", "precision", "threads", "median", "least", "75 %",
              "unit");
  }
  for (const BenchTask* task : tasks) {
    task->run(arguments.options, [&](const BenchRow& row) {
      if (arguments.json) {
        out["rows"].push_back(to_json(row));
      } else {
        print_out("{:<44} {:>9} {:>7} {:>10.4g} {:>10.4g} {:>10.4g}  {}\n", fmt::format("{}: {}", row.task, row.what),
                  row.precision, row.threads, row.median, row.least, row.upper_quartile, row.unit);
        std::fflush(stdout);
      }
    });
  }
  if (arguments.json) print_as_json(out);
  return exit_done;
}

}  // namespace

void add_bench(Command& app) {
  Command command = app.add_subcommand("bench", "Measure how fast this machine fits, and say which kernels it uses");
  auto arguments = std::make_shared<BenchArguments>();
  std::string names = "Tasks (* measured where none is named):";
  for (const BenchTask& task : bench_tasks()) {
    names += fmt::format("\n  {} {:<11} {}", task.by_default ? '*' : ' ', task.name, task.help);
  }
  command.add_option("TASK", arguments->tasks, "what to measure, see below");
  command.add_flag("--all", arguments->everything, "measure everything");
  command.add_option("--seconds", arguments->options.seconds, "time for each line of the table (default 0.5)")
      .range(0.0, 3600.0);
  command
      .add_option("--threads", arguments->options.threads,
                  "numbers of threads to measure with, as in 1,2,8 (default: 1, 2 and all cores)")
      .comma_separated()
      .range(1, 4096);
  command.footer(names);
  command.add_flag("--quick", arguments->options.quick, "tiny problems: shows that everything runs, not how fast");
  command.add_flag("--json", arguments->json, "machine-readable output");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
