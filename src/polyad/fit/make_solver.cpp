#include <polyad/fit/make_solver.hpp>

#include <polyad/kernel/full_gradient.hpp>
#include <polyad/sample/counts.hpp>
#include <polyad/solve/cp_als.hpp>
#include <polyad/solve/cp_apr.hpp>
#include <polyad/solve/gcp_full.hpp>
#include <polyad/solve/sgd_solver.hpp>

#include <cmath>

namespace polyad {

namespace {

// An exact gradient of this many cells takes about as long as a few epochs of sampled ones.
constexpr double finish_dense_cells = 2e7;
constexpr double finish_listed_cells = 5e7;

constexpr std::uint64_t lbfgsb_finish_iterations = 100;
constexpr std::uint64_t apr_finish_iterations = 10;

std::unique_ptr<Solver> make_lbfgsb(const Tensor& tensor, const Loss& loss, const FitOptions& options,
                                    const std::vector<Segment>& segments, std::uint64_t iterations) {
  LbfgsbSettings settings;
  settings.pairs = options.exact.pairs;
  settings.tolerance = options.stop.tolerance.value_or(default_tolerance(Method::gcp_full));
  settings.gradient_tolerance = options.exact.gradient_tolerance;
  return std::make_unique<GcpFull>(tensor, loss, segments, settings, iterations);
}

std::unique_ptr<Solver> make_apr(const Tensor& tensor, const FitOptions& options, const std::vector<Segment>& segments,
                                 std::uint64_t iterations) {
  AprSettings settings;
  settings.row = {options.exact.apr_update, options.exact.apr_inner, options.exact.kkt_tolerance};
  settings.tolerance = options.stop.tolerance.value_or(default_tolerance(Method::cp_apr));
  settings.iterations = iterations;
  settings.data_scale = 1 / *options.guess.unit;
  return std::make_unique<CpApr>(tensor, segments, settings);
}

void require_loss(const Loss& loss, std::string_view needed, std::string_view option) {
  if (loss.name() == needed) return;
  fail(ErrorKind::usage, "{} minimises the loss {}, not {}; use --method gcp-sgd or gcp-full", option, needed,
       loss.name());
}

bool only_bounded_by_zero(const BoundOptions& bounds) {
  return bounds.lower.value_or(0) == 0 && std::isinf(bounds.upper.value_or(INFINITY)) && bounds.modes.empty();
}

}  // namespace

double default_tolerance(Method method) {
  switch (method) {
    case Method::gcp_full:
      return 1e-9;
    case Method::cp_als:
      return 1e-8;
    default:
      return 0;
  }
}

std::uint64_t default_iterations(Method method, Finish finish) {
  switch (method) {
    case Method::gcp_full:
      return 1000;
    case Method::cp_als:
      return 500;
    case Method::cp_apr:
      return 200;
    default:
      return finish == Finish::apr ? apr_finish_iterations : lbfgsb_finish_iterations;
  }
}

void check_method(const Tensor& tensor, const Loss& loss, const FitOptions& options) {
  if (options.method == Method::cp_als) require_loss(loss, "gaussian", "--method cp-als");
  if (options.method == Method::cp_apr) require_loss(loss, "poisson", "--method cp-apr");
  if (options.finish == Finish::apr) require_loss(loss, "poisson", "--finish apr");
  if (options.method == Method::gcp_full || options.finish == Finish::lbfgsb) full_gradient_cells(tensor, loss);
  if (options.method == Method::gcp_sgd) return;
  const auto refuse = [&](std::string_view option) {
    fail(ErrorKind::usage, "--{} has no meaning for --method {}; leave it out or use gcp-sgd", option,
         word_of(options.method));
  };
  if (options.finish && *options.finish != Finish::none) refuse("finish");
  if (options.sample.sampler) refuse("sampler");
  if (options.sample.samples) refuse("samples");
  if (options.sample.parts) refuse("parts");
  if (options.precision != Precision::in_double) refuse("precision");
  if (options.schedule.rate) refuse("rate");
  if (options.schedule.epochs) refuse("epochs");
}

Finish default_finish(const Tensor& tensor, const Loss& loss, const BoundOptions& bounds) {
  if (tensor.dense() != nullptr) return tensor.space().cells() <= finish_dense_cells ? Finish::lbfgsb : Finish::none;
  const SparseTensor& sparse = *tensor.sparse();
  const bool closed = loss.info().zero_sum != ZeroSum::none || sparse.unlisted() == Unlisted::missing;
  if (!closed) return tensor.space().cells() <= finish_dense_cells ? Finish::lbfgsb : Finish::none;
  if (full_gradient_cells(tensor, loss) > finish_listed_cells) return Finish::none;
  // On counts one outer iteration of CP-APR does more than a hundred of L-BFGS-B (docs/methods.md), but it holds the data
  // once more a mode.
  const double held = static_cast<double>(tensor.space().modes()) * full_gradient_cells(tensor, loss);
  const bool counts = loss.name() == "poisson" && sparse.unlisted() == Unlisted::zero;
  return counts && only_bounded_by_zero(bounds) && held <= finish_listed_cells ? Finish::apr : Finish::lbfgsb;
}

std::unique_ptr<Solver> make_solver(const Tensor& tensor, const Loss& loss, const FitOptions& options,
                                    const std::vector<Segment>& segments) {
  switch (options.method) {
    case Method::gcp_full:
      return make_lbfgsb(tensor, loss, options, segments, *options.exact.iterations);
    case Method::cp_als: {
      const AlsSettings settings{options.exact.ridge, 1 / *options.guess.unit, *options.stop.tolerance,
                                 *options.exact.iterations};
      return std::make_unique<CpAls>(tensor, segments, settings);
    }
    case Method::cp_apr:
      return make_apr(tensor, options, segments, *options.exact.iterations);
    default:
      tensor.expect_random_reads();
      return std::make_unique<SgdSolver>(
          tensor, loss, segments,
          SgdSettings{options.sample, options.schedule, options.optimizer, options.precision, options.seed});
  }
}

std::unique_ptr<Solver> make_finish(const Tensor& tensor, const Loss& loss, const FitOptions& options,
                                    const std::vector<Segment>& segments) {
  if (options.method != Method::gcp_sgd) return nullptr;
  // The stochastic phase's own tolerance is for noisy estimates.
  FitOptions exact = options;
  if (exact.stop.tolerance == 0) exact.stop.tolerance.reset();
  switch (*options.finish) {
    case Finish::lbfgsb:
      return make_lbfgsb(tensor, loss, exact, segments, *options.exact.iterations);
    case Finish::apr:
      return make_apr(tensor, exact, segments, *options.exact.iterations);
    default:
      return nullptr;
  }
}

}  // namespace polyad
