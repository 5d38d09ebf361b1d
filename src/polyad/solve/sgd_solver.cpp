#include <polyad/solve/sgd_solver.hpp>

#include <polyad/solve/gcp_sgd.hpp>

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

}  // namespace polyad
