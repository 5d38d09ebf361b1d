// One suite for every solver: lowers its exact objective, respects bounds and masks, gives the same bits on any number of
// threads, can be interrupted, and finds what was planted in data of its own kind.

#include <polyad/base/error.hpp>
#include <polyad/base/rng.hpp>
#include <polyad/fields.hpp>
#include <polyad/fit.hpp>
#include <polyad/fit/plan.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/kernel/exact_objective.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/model.hpp>
#include <polyad/model/compare.hpp>
#include <polyad/problems/problem.hpp>
#include <polyad/solve/options_json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <conformance/metamorphic.hpp>
#include <functional>

namespace polyad {
namespace {

struct SolverCase {
  std::string name;
  std::string loss;
  std::function<void(FitOptions&)> choose;
  bool any_bounds = true;  ///< cp-apr knows only factors of at least 0
};

void PrintTo(const SolverCase& solver, std::ostream* out) {
  *out << solver.name;
}

/// Every method and finish of the lists, with data of the kinds that planted() makes and the method serves.
std::vector<SolverCase> solvers() {
  using metamorphic::every;
  std::vector<SolverCase> all;
  for (const std::string loss : {"poisson", "gaussian", "gamma", "bernoulli-odds"}) {
    const RowProblem of_loss = parse_loss(loss).info().row_problem;
    const auto serves = [&](RowProblem rows) { return rows == RowProblem::none || rows == of_loss; };
    for (const Method method : every<Method>()) {
      const MethodInfo& info = info_of(method);
      if (info.make == nullptr || !serves(info.rows)) continue;
      const std::string name = fmt::format("{} {}", info.word, loss);
      if (info.iterations == 0) {
        // Sampled gradients with every finish; one loss with a closed form for zeros is enough.
        if (loss != "poisson") continue;
        for (const Finish finish : every<Finish>()) {
          const RowProblem rows = finish == Finish::none ? RowProblem::none : info_of(finish).method->rows;
          if (!serves(rows)) continue;
          all.push_back({fmt::format("{} finish {}", name, word_of(finish)), loss,
                         [method, finish](FitOptions& o) {
                           o.method = method;
                           o.finish = finish;
                         },
                         rows != RowProblem::poisson_regression});
        }
      } else if (info.rows == RowProblem::poisson_regression) {
        for (const AprUpdate update : every<AprUpdate>()) {
          all.push_back({fmt::format("{} {}", name, word_of(update)), loss,
                         [method, update](FitOptions& o) {
                           o.method = method;
                           o.apr.update = update;
                           o.stop.iterations = 60;
                         },
                         false});
        }
      } else if (info.rows != RowProblem::none ||
                 loss != "gaussian") {  // gaussian data are for the method made for them
        all.push_back({name, loss, [method, loss](FitOptions& o) {
                         o.method = method;
                         if (loss == "bernoulli-odds") o.stop.iterations = 200;
                       }});
      }
    }
  }
  return all;
}

// Data of the solver's own kind, with planted factors.
Problem planted(const std::string& loss, double missing = 0) {
  if (loss == "gaussian") {
    GaussianOptions options;
    options.shape = "20x15x12";
    options.rank = 3;
    options.snr = 20;
    options.missing = missing;
    return make_problem(options);
  }
  if (loss == "gamma") {
    GammaOptions options;
    options.shape = "40x30x25";
    options.rank = 2;
    options.missing = missing;
    return make_problem(options);
  }
  if (loss == "bernoulli-odds") {
    BinaryOptions options;
    options.shape = "24x20x16x6";
    options.rank = 2;
    options.delta = 0.5;
    Problem problem = make_problem(options);
    SparseTensor& tensor = *problem.tensor.sparse();
    Records hidden(4);
    Generator random(RandomStream(5, Purpose::held_out));
    for (Index i = 0; i < 24; ++i) {
      for (Index j = 0; j < 20; ++j) {
        for (Index k = 0; k < 16; ++k) {
          for (Index l = 0; l < 6; ++l) {
            const Index index[4] = {i, j, k, l};
            if (random.unit() < missing) hidden.append(index, 0.0);
          }
        }
      }
    }
    if (hidden.size() > 0) tensor.set_missing(hidden);
    return problem;
  }
  PoissonOptions options;
  options.shape = "30x20x15";
  options.rank = 3;
  options.total = 30000;
  options.missing = missing;
  return make_problem(options);
}

FitOptions options_for(const SolverCase& solver, std::size_t rank) {
  FitOptions options;
  options.rank = rank;
  options.loss = solver.loss;
  options.starts = 3;
  options.method = "gcp-sgd";
  solver.choose(options);
  if (options.method == "gcp-sgd") options.schedule.epochs = 8;
  return options;
}

bool uses_apr(const FitOptions& options) {
  return options.method == "cp-apr" || options.finish == Finish::apr;
}

/// Of the exact method, where there is one.
void limit_iterations(FitOptions& options, std::uint64_t iterations) {
  if (options.method != "gcp-sgd" || options.finish != Finish::none) options.stop.iterations = iterations;
}

class Solvers : public testing::TestWithParam<SolverCase> {};

INSTANTIATE_TEST_SUITE_P(Every, Solvers, testing::ValuesIn(solvers()), [](const auto& tested) {
  std::string name;
  for (const char c : tested.param.name) {
    if (std::isalnum(static_cast<unsigned char>(c))) name += c;
  }
  return name;
});

TEST_P(Solvers, LowersItsExactObjectiveAndSaysSo) {
  const Problem problem = planted(GetParam().loss);
  const FitResult result = fit(problem.tensor, options_for(GetParam(), problem.truth.rank()));
  const Loss loss = parse_loss(GetParam().loss);
  KTensor model = result.model;
  distribute_weights(model);
  const double exact = *exact_objective(model.factors, problem.tensor, loss, 1e9);
  EXPECT_NEAR(exact, *result.exact_loss, 1e-9 * std::abs(exact));
  bool any_exact = false;
  for (const StartSummary& start : result.starts) {
    ASSERT_GE(start.trace.size(), 2u);
    double last = INFINITY;
    for (const TraceRow& row : start.trace) {
      if (row.rate > 0) continue;
      any_exact = true;
      EXPECT_LE(row.estimate, last + 1e-7 * std::abs(last)) << "iteration " << row.epoch;
      last = row.estimate;
    }
    EXPECT_LT(start.estimate, start.trace.front().estimate);
  }
  EXPECT_EQ(any_exact, result.options.method != "gcp-sgd" || result.options.finish != Finish::none);
  EXPECT_NEAR(any_exact ? result.estimate : exact, exact, 1e-8 * std::abs(exact));
}

TEST_P(Solvers, FindsWhatWasPlantedAlsoWithAFifthOfTheCellsMissing) {
  for (const double missing : {0.0, 0.2}) {
    const Problem problem = planted(GetParam().loss, missing);
    const FitResult result = fit(problem.tensor, options_for(GetParam(), problem.truth.rank()));
    KTensor truth = problem.truth;
    distribute_weights(truth);
    const Loss loss = parse_loss(GetParam().loss);
    EXPECT_LE(*result.exact_loss, *exact_objective(truth.factors, problem.tensor, loss, 1e9)) << "missing " << missing;
    // Yes/no answers in so few cells do not determine the components, only how well they are told.
    if (loss.name() == "bernoulli-odds") continue;
    EXPECT_GE(score(problem.truth, result.model).value, 0.9) << "missing " << missing;
  }
}

TEST_P(Solvers, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Problem problem = planted(GetParam().loss, 0.1);
  FitOptions options = options_for(GetParam(), 2);
  limit_iterations(options, 10);
  options.threads = 1;
  const FitResult first = fit(problem.tensor, options);
  for (const std::uint64_t threads : {2, 7}) {
    options.threads = threads;
    const FitResult again = fit(problem.tensor, options);
    EXPECT_EQ(first.model, again.model) << threads << " threads";
    EXPECT_EQ(first.best_start, again.best_start);
    for (std::size_t s = 0; s < first.starts.size(); ++s) {
      ASSERT_EQ(first.starts[s].trace.size(), again.starts[s].trace.size());
      for (std::size_t i = 0; i < first.starts[s].trace.size(); ++i) {
        EXPECT_EQ(first.starts[s].trace[i].estimate, again.starts[s].trace[i].estimate);
      }
    }
  }
}

TEST_P(Solvers, RespectsBoundsOrRefusesThem) {
  const Problem problem = planted(GetParam().loss);
  FitOptions options = options_for(GetParam(), 2);
  options.starts = 1;
  options.bounds.modes = {"1:lower=0.2,upper=0.3"};
  if (!GetParam().any_bounds) {
    try {
      fit(problem.tensor, options);
      FAIL();
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::usage);
      EXPECT_THAT(e.what(), testing::HasSubstr("no other bounds"));
    }
    return;
  }
  const FitResult result = fit(problem.tensor, options);
  // Columns are normalised afterwards, so a ratio is what can be seen of the bounds.
  for (std::size_t j = 0; j < 2; ++j) {
    double least = INFINITY, most = 0;
    for (std::size_t i = 0; i < result.model.factors.rows(0); ++i) {
      least = std::min(least, result.model.factors.at(0, i, j));
      most = std::max(most, result.model.factors.at(0, i, j));
    }
    EXPECT_LE(most / least, 1.5 + 1e-9);
  }
}

TEST_P(Solvers, KeepsFixedModes) {
  const Problem problem = planted(GetParam().loss);
  FitOptions options = options_for(GetParam(), problem.truth.rank());
  options.bounds.modes = {"2:fixed"};
  const FitResult result = fit(problem.tensor, options, {}, {.start_from = &problem.truth});
  const Score alike = score(problem.truth, result.model);
  KTensor truth = problem.truth;
  normalize(truth);
  resolve_signs(truth);
  KTensor found = result.model;
  for (std::size_t j = 0; j < truth.rank(); ++j) {
    for (std::size_t i = 0; i < truth.factors.rows(1); ++i) {
      EXPECT_NEAR(std::abs(truth.factors.at(1, i, j)), std::abs(found.factors.at(1, i, alike.match[j])), 1e-9);
    }
  }
}

TEST_P(Solvers, CanBeInterruptedAndKeepsTheBestSoFar) {
  const Problem problem = planted(GetParam().loss);
  FitOptions options = options_for(GetParam(), 2);
  options.starts = 1;
  options.stop.tolerance = 0;
  if (uses_apr(options)) options.apr.kkt_tolerance = 0;
  std::atomic<bool> stop = false;
  Monitor monitor;
  monitor.interrupt = &stop;
  std::uint64_t rows = 0;
  monitor.on_epoch = [&](const Progress&) {
    ++rows;
    stop = stop || rows >= 3;
  };
  const FitResult result = fit(problem.tensor, options, monitor);
  EXPECT_EQ(result.why, StopReason::interrupted);
  EXPECT_EQ(rows, result.starts[0].trace.size());
  EXPECT_LT(result.estimate, result.starts[0].trace[0].estimate);
  EXPECT_TRUE(result.model.factors.all_finite());
}

TEST_P(Solvers, ObeysATimeLimit) {
  const Problem problem = planted(GetParam().loss);
  FitOptions options = options_for(GetParam(), 2);
  options.stop.time_limit = 1e-6;
  const FitResult result = fit(problem.tensor, options);
  EXPECT_EQ(result.why, StopReason::time_limit);
  EXPECT_EQ(result.starts.size(), 1u) << "no further start is begun";
  EXPECT_TRUE(result.model.factors.all_finite());
}

TEST_P(Solvers, ModelFilesTellHowItWasMade) {
  const Problem problem = planted(GetParam().loss);
  FitOptions options = options_for(GetParam(), 2);
  limit_iterations(options, 3);
  const ModelFile file = to_model_file(fit(problem.tensor, options));
  EXPECT_EQ(file.options->json["method"], std::string(word_of(*options.method)));
  EXPECT_NE(file.options->json["finish"], "auto");
  EXPECT_EQ(file.options->json["iterations"] == "auto", !options.stop.iterations);
  EXPECT_EQ(file.traces.size(), 3u);
  FitOptions again = fit_options_from_json(file.options->json);
  EXPECT_EQ(again.method, options.method);
  EXPECT_EQ(again.apr.update, options.apr.update);
}

// A component too many: equations of deficient rank, components that vanish.
TEST_P(Solvers, SurvivesRanksBeyondTheData) {
  const Problem problem = planted(GetParam().loss);
  FitOptions options = options_for(GetParam(), problem.truth.rank() + 4);
  options.starts = 1;
  limit_iterations(options, 30);
  const FitResult result = fit(problem.tensor, options);
  EXPECT_TRUE(result.model.factors.all_finite());
  EXPECT_TRUE(std::isfinite(*result.exact_loss));
}

std::string refusal(const Tensor& tensor, const FitOptions& options) {
  try {
    fit(tensor, options);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::usage);
    return e.what();
  }
  return "";
}

TEST(SolverChoice, RefusesLossesAndOptionsThatDoNotGoWithTheMethod) {
  const Problem problem = planted("poisson");
  FitOptions options;
  options.rank = 2;
  options.loss = "poisson";
  options.method = "cp-als";
  EXPECT_THAT(refusal(problem.tensor, options), testing::HasSubstr("loss gaussian, not poisson"));
  options.loss = "gaussian";
  options.sample.samples = 10;
  EXPECT_THAT(refusal(problem.tensor, options),
              testing::HasSubstr("samples is not used by method cp-als, only by method gcp-sgd"));
  options.sample.samples.reset();
  options.finish = Finish::lbfgsb;
  EXPECT_THAT(refusal(problem.tensor, options), testing::HasSubstr("finish is not used by method cp-als"));
  options.finish = Finish::apr;
  options.method = "gcp-sgd";
  EXPECT_THAT(refusal(problem.tensor, options), testing::HasSubstr("finish apr minimises the loss poisson"));
}

// 0 means never, also in a finish, whose method has a default of its own.
TEST(SolverChoice, AToleranceOfZeroIsKeptInAFinish) {
  const Problem problem = planted("gamma");
  FitOptions options;
  options.rank = 2;
  options.loss = "gamma";
  options.starts = 1;
  options.finish = Finish::lbfgsb;
  options.stop.iterations = 2000;
  options.schedule.epochs = 2;
  const auto rows = [&] { return fit(problem.tensor, options).starts[0].trace.size(); };
  const std::size_t by_default = rows();
  options.stop.tolerance = 1e-9;
  EXPECT_EQ(rows(), by_default);
  options.stop.tolerance = 0;
  EXPECT_GT(rows(), by_default) << "it goes on until nothing changes any more";
}

// Options as used give the same fit again, whatever the method.
TEST_P(Solvers, CanBeFittedAgainFromTheOptionsAsUsed) {
  const Problem problem = planted(GetParam().loss);
  FitOptions options = options_for(GetParam(), 2);
  options.starts = 1;
  limit_iterations(options, 3);
  if (options.method == "gcp-sgd") options.schedule.epochs = 2;
  const FitResult first = fit(problem.tensor, options);
  const FitResult again = fit(problem.tensor, fit_options_from_json(to_json(first.options)));
  EXPECT_EQ(first.model, again.model);
}

TEST(SolverChoice, FinishesByItselfWhereThatIsCheap) {
  const Problem counts = planted("poisson");
  const Problem yes_no = planted("bernoulli-odds");
  FitOptions options;
  options.rank = 2;
  options.loss = "poisson";
  options.method = "gcp-sgd";
  EXPECT_EQ(plan(counts.tensor, options).options.finish, Finish::apr);
  options.bounds.upper = 5;  // which cp-apr does not know
  EXPECT_EQ(plan(counts.tensor, options).options.finish, Finish::lbfgsb);
  options.bounds = {};
  options.loss = "bernoulli-odds";
  EXPECT_EQ(plan(yes_no.tensor, options).options.finish, Finish::lbfgsb);
  Records few(3);
  for (const Index i : {1, 5, 9}) few.append(std::array<Index, 3>{i, i, i}.data(), 1.0);
  const Tensor wide(SparseTensor(IndexSpace({1000, 1000, 1000}), std::move(few)));  // too many cells to go through
  EXPECT_EQ(plan(wide, options).options.finish, Finish::none);
  options.loss = "gamma";
  EXPECT_EQ(plan(planted("gamma").tensor, options).options.finish, Finish::lbfgsb);
}

}  // namespace
}  // namespace polyad
