#pragma once
// Everything a fit can be asked for, gathered from the options of its components. The command line, JSON, model files and the
// Python package use the same names because they walk the same field lists (fields.hpp). docs/reference.md lists them all.
//
//   FitOptions options;
//   options.rank = 10;
//   options.loss = "poisson";
//   options.stop.time_limit = 60;                  // by member,
//   set_option(options, "samples", "2000");        // or by name

#include <polyad/detail/simd_target.hpp>
#include <polyad/options/method.hpp>
#include <polyad/options/sampling.hpp>
#include <polyad/options/start.hpp>
#include <polyad/options/steps.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace polyad {

struct MainOptions {
  std::uint64_t rank = 0;
  std::string loss;
  std::optional<Method> method;
  std::optional<Finish> finish;
  std::optional<std::uint64_t> starts;
  std::uint64_t seed = 1;
  std::uint64_t threads = 0;
  Precision precision = Precision::in_double;
  std::optional<SimdTarget> simd;

  static auto fields() {
    using O = MainOptions;
    return std::tuple{
        field("rank", &O::rank, "number of components to find", count_from(1)),
        field("loss", &O::loss,
              "what is minimised, by kind of data: see 'polyad losses'; parameters as 'huber:delta=0.5', a "
              "formula as 'expr:m - x*log(m); lower=0'"),
        field("method", &O::method, method_help()),
        field("finish", &O::finish,
              "exact method that polishes the best start of gcp-sgd; auto: lbfgsb where an exact gradient costs at "
              "most 2e7 "
              "cells, or 5e7 listed cells where zeros have a closed form (poisson, gaussian); apr instead for sparse "
              "counts (poisson) without bounds other than 0; none otherwise"),
        field("starts", &O::starts,
              "random starts, the best is kept; auto: 5, or up to 20 where an exact method solves all of them in half "
              "a second",
              count_from(1)),
        field("seed", &O::seed, "seed of the random starts and draws; equal seeds give equal results"),
        field("threads", &O::threads, "threads to use (results do not depend on it); 0: one per core", within(0, 4096)),
        field("precision", &O::precision,
              "of factors and gradients; single is faster and halves their memory, sums of the loss are double always"),
        field("simd", &O::simd,
              "instruction set of the kernels; portable: slower, but the same bits on all x86-64; auto: the best that "
              "this CPU has"),
    };
  }
};

struct FitOptions : MainOptions {
  SampleOptions sample;
  HoldoutOptions holdout;
  ScheduleOptions schedule;
  OptimizerOptions optimizer;
  GuessOptions guess;
  BoundOptions bounds;
  StopOptions stop;
  CheckpointOptions checkpoint;
  LbfgsbOptions lbfgsb;
  AlsOptions als;
  AprOptions apr;
};

/// Calls visit(group_title, group_options) for every group, in the order people should see them.
template <class Options, class Visit>
void for_each_group(Options& options, Visit&& visit) {
  using Main = std::conditional_t<std::is_const_v<Options>, const MainOptions, MainOptions>;
  visit(std::string_view("Main"), static_cast<Main&>(options));
  visit(std::string_view("Sampling"), options.sample);
  visit(std::string_view("Importance sampling"), options.sample.importance);
  visit(std::string_view("Held-out cells"), options.holdout);
  visit(std::string_view("Step size"), options.schedule);
  visit(std::string_view("Update rule"), options.optimizer);
  visit(std::string_view("Start"), options.guess);
  visit(std::string_view("Bounds"), options.bounds);
  visit(std::string_view("Stopping"), options.stop);
  visit(std::string_view("Checkpoints"), options.checkpoint);
  visit(std::string_view("L-BFGS-B"), options.lbfgsb);
  visit(std::string_view("CP-ALS"), options.als);
  visit(std::string_view("CP-APR"), options.apr);
}

/// Throws a usage error that names the field, its value and the broken rule.
void validate(const FitOptions& options);

/// Sets an option by its name, from text as on the command line ("auto" where it may be). A usage error names the option, or the
/// nearest one where there is none of this name. A list gets one more element.
void set_option(FitOptions& options, std::string_view name, std::string_view value);
/// The value of an option as text that set_option reads; elements of a list are separated by blanks.
std::string option_text(const FitOptions& options, std::string_view name);

}  // namespace polyad
