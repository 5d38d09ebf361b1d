#pragma once
// What `polyad bench` measures: iterations of the stochastic solver on made problems, and what else a fit spends time on.

#include <polyad/base/json_value.hpp>
#include <polyad/options/method.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polyad::cli {

struct BenchOptions {
  double seconds = 0.5;              ///< measured for each row
  std::vector<std::size_t> threads;  ///< numbers of threads to measure with
  bool quick = false;                ///< tiny problems: does it run, not how fast
};

/// One measured line.
struct BenchRow {
  std::string task;
  std::string what;  ///< "binary200 stratified"
  std::string precision;
  std::size_t threads = 1;
  std::string unit;  ///< of the figures: "us an iteration"
  double median = 0;
  double least = 0;
  double upper_quartile = 0;
  Json facts;  ///< rank, samples, modes, ...: what a plot needs
};

struct BenchTask {
  std::string_view name;
  std::string_view help;
  bool by_default;
  void (*run)(const BenchOptions& options, const std::function<void(const BenchRow&)>& done);
};

const std::vector<BenchTask>& bench_tasks();

}  // namespace polyad::cli
