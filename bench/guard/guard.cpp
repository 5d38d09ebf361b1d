// A fixed amount of work for the instruction counter: so many iterations of one problem, through the public door.
//   polyad_guard binary|counts|gamma

#include <polyad/base/clock.hpp>
#include <polyad/fit/plan.hpp>
#include <polyad/problems/problem.hpp>

#include <fmt/format.h>

#include <string_view>

namespace {

polyad::Problem make(std::string_view what) {
  if (what == "binary") {
    polyad::BinaryOptions o;
    o.shape = "60x50x40x30";
    return make_binary(o);
  }
  if (what == "counts") {
    polyad::PoissonOptions o;
    o.shape = "500x24x20x10";
    o.rank = 10;
    o.total = 30'000;
    return make_poisson(o);
  }
  polyad::GammaOptions o;
  o.shape = "40x30x20x10";
  return make_gamma(o);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "binary";
  const polyad::Problem problem = make(what);
  polyad::FitOptions options;
  options.rank = what == "counts" ? 10 : 5;
  options.loss = what == "counts" ? "poisson" : what == "gamma" ? "gamma" : "bernoulli-odds";
  options.starts = 1;
  options.finish = polyad::Finish::none;
  options.threads = 1;
  options.sample.samples = 1000;
  options.sample.estimate_samples = 1000;
  options.schedule.epochs = 1;
  options.schedule.epoch_iterations = 200;
  // One start and nothing after it: what a fit does with the best start is not what is counted.
  const polyad::FitPlan plan = polyad::plan(problem.tensor, options);
  const polyad::Monitor monitor;
  const polyad::Stopwatch clock;
  const polyad::StartResult result =
      plan.prepared->solver->run(plan.prepared->guesses.guess(plan.options, plan.prepared->segments, 0),
                                 {monitor, clock, plan.options.stop, 0, 1, 1});
  fmt::print("{} {}\n", what, result.estimate);
}
