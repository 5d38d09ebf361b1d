#include <polyad/solve/sgd_solver.hpp>

#include <polyad/solve/gcp_sgd.hpp>
#include <polyad/solve/method_table.hpp>

#include <array>
#include <string_view>
#include <utility>

namespace polyad {

SgdSolver::SgdSolver(const Tensor& tensor, const Loss& loss, std::vector<Segment> segments, const SgdSettings& settings)
    : loss_(loss),
      segments_(std::move(segments)),
      sampler_(make_sampler(tensor, loss.info(), settings.sample)),
      optimizer_(make_optimizer(settings.optimizer)),
      schedule_(settings.schedule),
      judge_(estimate_batch(tensor, settings.sample)),
      precision_(settings.precision),
      seed_(settings.seed) {}

StartResult SgdSolver::run(Factors guess, const StartContext& context) const {
  const GcpProblem problem{loss_, *sampler_, judge_, *optimizer_, schedule_, segments_, context.stop, precision_};
  Progress about;
  about.start = context.start;
  about.starts = context.starts;
  about.epochs = *schedule_.options().epochs;
  about.open_ended = schedule_.options().kind == ScheduleKind::paper;
  return gcp_sgd(problem, std::move(guess), RandomStream(seed_, Purpose::gradient, context.start), about,
                 context.monitor, context.since_fit_began, context.threads);
}

namespace {

constexpr std::array<std::string_view, 6> options_of_gcp_sgd = {
    "finish", "precision", "Sampling", "Importance sampling", "Step size", "Update rule"};

}  // namespace

constinit const MethodInfo gcp_sgd_method = {
    .word = "gcp-sgd",
    .help = "by sampled gradients",
    .tolerance = 0,
    .iterations = 0,
    .uses = options_of_gcp_sgd,
    .make = [](const MethodSetup& s) -> std::unique_ptr<Solver> {
      const FitOptions& o = s.options;
      s.tensor.expect_random_reads();
      return std::make_unique<SgdSolver>(s.tensor, s.loss, s.segments,
                                         SgdSettings{o.sample, o.schedule, o.optimizer, o.precision, o.seed});
    },
};

}  // namespace polyad
