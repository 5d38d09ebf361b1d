// From a file to a model file and a report: what `polyad fit` does, step by step.
//
//   from_file DATA MODEL REPORT

#include <polyad/polyad.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>

namespace {

std::atomic<bool> stop = false;

}  // namespace

int main(int count, char** arguments) try {
  if (count != 4) return std::fprintf(stderr, "usage: from_file DATA MODEL REPORT\n"), 2;

  const polyad::OpenedData data = polyad::open_data(arguments[1]);
  std::printf("%s\n", polyad::describe(data.tensor).c_str());

  polyad::FitOptions options;
  options.rank = 2;
  options.loss = polyad::advise_losses(data.tensor).front().loss;
  polyad::set_option(options, "time-limit", "60");
  const polyad::FitPlan plan = polyad::plan(data.tensor, options);
  std::printf("%s", polyad::describe(plan).c_str());

  std::signal(SIGINT, [](int) { stop = true; });  // ends with the best model so far
  polyad::Monitor monitor;
  monitor.interrupt = &stop;
  monitor.on_epoch = [](const polyad::Progress& at) {
    if (at.last) std::printf("start %llu ends at %.6g\n", static_cast<unsigned long long>(at.start + 1), at.best);
  };
  polyad::FitResult result = polyad::fit(plan, monitor);
  std::printf("%s\n", polyad::sentence(result.verdict).c_str());

  const polyad::ModelFile file = polyad::judged(result, data.tensor, {.data_file = arguments[1]});
  polyad::write_model(arguments[2], file);
  polyad::write_report(arguments[3], {{"from a file", file}});
  std::printf("%s", polyad::show_text(result.model, result.labels, {.top = 3}).c_str());
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
