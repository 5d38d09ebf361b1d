// Table 1 of the paper for any data, model and sampler: how far sampled gradients lie from the exact one, and what they cost.
//
//   polyad_variance '{"data": "b.tns", "loss": "bernoulli-odds", "model": "m.h5", "draws": 1000, "exact": true,
//                     "samplers": [{"sampler": "stratified", "samples": 1000}, {"sampler": "importance"}]}'
//
// A sampler is a set of options of 'polyad fit'. Without "model" the gradients are those at a random start of "rank"; with
// "stale", a model too, samplers that follow the model follow that one instead. Prints JSON: for every sampler
//   bias       norm(mean of the gradients - exact gradient), where "exact" asks for it
//   variance   mean of norm(gradient - mean of the gradients)^2
//   us         an iteration (draw, gradient, step) on one thread, the median of stretches; refresh_ms: a refresh

#include <polyad/base/clock.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/kernel/batch_objective.hpp>
#include <polyad/kernel/exact_objective.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/model.hpp>
#include <polyad/model/guess.hpp>
#include <polyad/options.hpp>
#include <polyad/solve/iterations.hpp>
#include <polyad/solve/options_json.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

using namespace polyad;

Factors model_in(const std::string& path) {
  KTensor model = read_model(path).model;
  distribute_weights(model);
  return std::move(model.factors);
}

double squared_distance(const Factors& a, const Factors& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.flat().size(); ++i) sum += std::pow(a.flat()[i] - b.flat()[i], 2);
  return sum;
}

double median(std::vector<double> figures) {
  std::sort(figures.begin(), figures.end());
  return figures[figures.size() / 2];
}

/// Microseconds an iteration at this model, which hardly moves.
double cost(const Loss& loss, const Sampler& base, const Sampler& sampler, Factors factors) {
  const Optimizer optimizer{OptimizerOptions{}};
  ScheduleOptions constant;
  constant.rate = 1e-12;
  constant.epochs = 1;
  const Schedule schedule(resolve(constant));
  std::vector<Segment> segments(factors.modes());
  for (Segment& s : segments) s.lower = loss.info().lower;
  const Batch no_estimate;
  const StopOptions stop;
  const GcpProblem problem{loss, base, no_estimate, optimizer, schedule, segments, stop};
  Iterations<double> iterations(problem, RandomStream(1, Purpose::gradient), factors, 1);
  iterations.draw_from(sampler);
  auto moments = optimizer.start<double>(factors.flat().size());
  std::vector<double> figures;
  std::uint64_t draws = 0;
  const Stopwatch clock;
  while (figures.size() < 5 || (clock.seconds() < 1 && figures.size() < 200)) {
    const Stopwatch mine;
    draws += iterations.run(
        factors, moments, draws, 25, [](std::uint64_t) { return 1e-12; }, [] { return false; });
    figures.push_back(mine.seconds() * 1e6 / 25);
  }
  return median(figures);
}

Json measure(const Tensor& tensor, const Loss& loss, const Factors& model, const Factors& followed, const Json& options,
             std::size_t draws, const Factors* exact) {
  const SampleOptions sample = resolve(fit_options_from_json(options).sample, tensor, loss.info());
  const auto base = make_sampler(tensor, loss.info(), sample);
  std::unique_ptr<Sampler> refreshed;
  Json row;
  row["options"] = options;
  if (base->refresh_interval() > 0) {
    std::vector<double> milliseconds;
    for (int i = 0; i < 3; ++i) {
      const Stopwatch clock;
      refreshed = base->refreshed(followed, loss, 0, 1);
      milliseconds.push_back(clock.seconds() * 1e3);
    }
    row["refresh_ms"] = median(milliseconds);
  }
  const Sampler& sampler = refreshed ? *refreshed : *base;
  row["describe"] = sampler.describe();

  Factors gradient(model.extents(), model.rank());
  Factors mean = gradient;
  double squares = 0;
  Batch batch;
  const RandomStream stream(7, Purpose::gradient);
  for (std::size_t n = 0; n < draws; ++n) {
    sampler.draw(stream, n, batch);
    sampled_gradient(model, batch, loss, gradient);
    const double share = 1.0 / static_cast<double>(n + 1);
    squares += squared_distance(gradient, mean) * (1 - share);  // Welford
    for (std::size_t i = 0; i < mean.flat().size(); ++i)
      mean.flat()[i] += share * (gradient.flat()[i] - mean.flat()[i]);
  }
  row["variance"] = squares / static_cast<double>(draws - 1);
  row["expected_bias"] = std::sqrt(squares / static_cast<double>(draws - 1) / static_cast<double>(draws));
  if (exact != nullptr) row["bias"] = std::sqrt(squared_distance(mean, *exact));
  row["us"] = cost(loss, *base, sampler, model);
  row["variance_x_us"] = row["variance"].get<double>() * row["us"].get<double>();
  return row;
}

/// However many cells it visits: a fit would need hundreds of these and is refused, here it is one.
void exact_gradient(const Tensor& tensor, const Loss& loss, const Factors& model, Factors& gradient) {
  ExactGradient(tensor, loss, std::numeric_limits<double>::infinity())(model, 2, gradient);
}

Json run(const Json& job) {
  const Tensor tensor = read_tensor(job.at("data"));
  const Loss loss = parse_loss(job.at("loss").get<std::string>());
  const Factors model = job.contains("model") ? model_in(job["model"])
                                              : random_guess(tensor.space(), job.at("rank"), GuessKind::uniform,
                                                             tensor.norm(), job.value("seed", 1), 0);
  const Factors followed = job.contains("stale") ? model_in(job["stale"]) : model;
  Json out = job;
  out["rows"] = Json::array();
  Factors exact(model.extents(), model.rank());
  if (job.value("exact", false)) {
    exact_gradient(tensor, loss, model, exact);
    out["norm"] = std::sqrt(squared_distance(exact, Factors(model.extents(), model.rank())));
  }
  for (const Json& options : job.at("samplers")) {
    out["rows"].push_back(measure(tensor, loss, model, followed, options, job.value("draws", 1000),
                                  job.value("exact", false) ? &exact : nullptr));
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: polyad_variance JSON (see the head of variance.cpp)\n");
    return 2;
  }
  try {
    fmt::print("{}\n", run(polyad::Json::parse(argv[1])).dump(1));
  } catch (const std::exception& error) {
    fmt::print(stderr, "polyad_variance: {}\n", error.what());
    return 1;
  }
  return 0;
}
