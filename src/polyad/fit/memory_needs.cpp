#include <polyad/fit/memory_needs.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/solve/method_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace polyad {

namespace {

// Factor-sized buffers a start holds: parameters, gradient, two moments; the copies saved for a restore; the best.
constexpr double buffers_per_start = 8;

// Of the factors, in numbers that do not overflow whatever the rank.
double factor_bytes(const IndexSpace& space, std::uint64_t rank) {
  return static_cast<double>(space.sum_of_extents()) * 4 * std::ceil(static_cast<double>(rank) / 4) * 8;
}

double starts_at_once(const FitOptions& options, std::uint64_t starts) {
  return static_cast<double>(std::min<std::uint64_t>(thread_count(options.threads), starts));
}

void require(std::string_view option, double value, double bytes, double there_is, std::string_view advice) {
  if (bytes <= there_is) return;
  fail(ErrorKind::data, "{}: {:.15g} needs about {} of memory, {} are available; {}", option, value, bytes_text(bytes),
       bytes_text(there_is), advice);
}

}  // namespace

void check_factor_memory(const IndexSpace& space, const FitOptions& options, std::uint64_t starts,
                         std::uint64_t tries) {
  const double factors = factor_bytes(space, options.rank);
  const double at_once = factors * buffers_per_start * starts_at_once(options, starts);
  const double there_is = available_memory();
  if (at_once > there_is) {
    fail(ErrorKind::data,
         "rank: a model of shape {} and rank {} needs about {} of memory for the fit, {} are available; "
         "check the shape, or use a lower rank or fewer threads",
         space.to_string(), options.rank, bytes_text(at_once), bytes_text(there_is));
  }
  require("starts", static_cast<double>(starts), at_once + factors * static_cast<double>(starts), there_is,
          "each keeps its model; use fewer");
  require("tries", static_cast<double>(tries), at_once + factors * static_cast<double>(tries), there_is,
          "each keeps its model for a while; use fewer");
  const std::uint64_t largest = std::ranges::max(space.extents());
  if (largest > max_held_extent) {
    fail(ErrorKind::data, "a model of shape {} cannot be fitted: a factor has at most {} rows; check the shape",
         space.to_string(), max_held_extent);
  }
}

void check_work_memory(const Tensor& tensor, const FitOptions& used) {
  const double there_is = available_memory();
  const double modes = static_cast<double>(tensor.space().modes());
  const double at_once = starts_at_once(used, *used.starts);
  const double factors = factor_bytes(tensor.space(), used.rank);
  if (is_sampled(used)) {
    // A sample is an index per mode, a value and two weights; what it is drawn from takes as much again.
    const double per_sample = 4 * modes + 24;
    const double samples = static_cast<double>(*used.sample.samples);
    require("samples", samples, 2 * per_sample * samples * at_once, there_is, "use fewer");
    const double judged = std::min(static_cast<double>(*used.sample.estimate_samples), tensor.observed());
    require("estimate-samples", judged, per_sample * judged, there_is, "use fewer");
    const double parts = static_cast<double>(used.sample.parts.value_or(1));
    const double shared = factors * (1 - static_cast<double>(std::ranges::max(tensor.space().extents())) /
                                             static_cast<double>(tensor.space().sum_of_extents()));
    require("parts", parts, parts * shared * at_once, there_is,
            "each keeps a gradient of all modes but one; use fewer");
  }
  const bool throughout = used.method == "gcp-full";
  if (throughout || (is_sampled(used) && used.finish == Finish::lbfgsb)) {
    const double pairs = static_cast<double>(used.lbfgsb.pairs);
    const double runs = throughout ? at_once : 1.0;
    require("lbfgsb-pairs", pairs, 2 * pairs * factors * runs, there_is, "use fewer, or a lower rank");
  }
}

}  // namespace polyad
