#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/base/text.hpp>
#include <polyad/fit/check_data.hpp>
#include <polyad/solve/method_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

namespace polyad {

namespace {

// "(3, 07:00, Harbour)": labels where there are some, numbers counted from 1 otherwise.
std::string cell_name(const Tensor& tensor, const Index* index) {
  std::string text = "(";
  for (std::size_t k = 0; k < tensor.space().modes(); ++k) {
    if (k > 0) text += ", ";
    text += tensor.labels().entry(k, index[k]);
  }
  return text + ")";
}

// Calls visit(value, index) for every stored observed value; visit returns whether to go on.
template <class Visit>
void for_each_stored(const Tensor& tensor, Visit&& visit) {
  if (const DenseTensor* dense = tensor.dense()) {
    std::array<Index, max_modes> index{};
    for (std::uint64_t cell = 0; cell < dense->cells(); ++cell) {
      const double x = dense->value(cell);
      if (std::isnan(x)) continue;
      if (!visit(x, [&] {
            dense->index_of(cell, {index.data(), dense->space().modes()});
            return index.data();
          })) {
        return;
      }
    }
  } else {
    const Records& records = tensor.sparse()->records();
    for (std::size_t t = 0; t < records.size(); ++t) {
      if (!visit(records.value(t), [&] { return records.index(t); })) return;
    }
  }
}

// Whether all values with these facts are in the domain.
bool all_within(Domain domain, const ValueFacts& facts) {
  switch (domain) {
    case Domain::real:
      return true;
    case Domain::nonnegative:
      return facts.negatives == 0;
    case Domain::positive:
      return facts.least > 0;
    case Domain::binary:
      return facts.binary;
    case Domain::count:
      return facts.whole && facts.negatives == 0;
    case Domain::positive_count:
      return facts.whole && facts.least > 0;
  }
  return false;
}

}  // namespace

void check_domain(const Tensor& tensor, const Loss& loss) {
  const Domain domain = loss.info().domain;
  const SparseTensor* sparse = tensor.sparse();
  if (sparse != nullptr && sparse->zeros() > 0 && !contains(domain, 0.0)) {
    fail(ErrorKind::data,
         "the loss {} needs {}, but the {:.0f} cells that this sparse tensor does not list are zeros; if only the "
         "listed entries are data, say `unlisted missing`",
         loss.name(), describe(domain), sparse->zeros());
  }
  if (tensor.facts() != nullptr && all_within(domain, tensor.facts()->values)) return;
  for_each_stored(tensor, [&](double x, const auto& index) {
    if (contains(domain, x)) return true;
    const std::vector<LossAdvice> advice = advise_losses(tensor);
    fail(ErrorKind::data, "the value {} at {} is not allowed: the loss {} needs {}; for these data try `loss {}`", x,
         cell_name(tensor, index()), loss.name(), describe(domain), advice.front().loss);
    return false;
  });
}

namespace {

// How often each value occurs among up to this many, evenly spread over those that are stored; nothing for more values than a
// scale has.
constexpr std::size_t looked_at = 1'000'000;
constexpr std::size_t most_grades = 20;

std::map<double, std::size_t> grades_of(const Tensor& tensor) {
  std::map<double, std::size_t> counts;
  const SparseTensor* sparse = tensor.sparse();
  const std::size_t stored = sparse != nullptr ? sparse->listed() : static_cast<std::size_t>(tensor.dense()->cells());
  const std::size_t step = stored / looked_at + 1;
  for (std::size_t n = 0; n < stored; n += step) {
    const double x = sparse != nullptr ? sparse->records().value(n) : tensor.dense()->value(n);
    if (sparse == nullptr && tensor.dense()->missing(n)) continue;
    if (x == 0 && sparse != nullptr) continue;
    if (!(x > 0) || 2 * x != std::floor(2 * x) || (++counts[x], counts.size() > most_grades)) return {};
  }
  return counts;
}

}  // namespace

bool look_like_ratings(const Tensor& tensor) {
  constexpr double highest_grade = 10;
  constexpr std::size_t fewest_grades = 3, fewest_values = 30;
  constexpr double share_of_the_highest = 0.05;
  const std::map<double, std::size_t> grades = grades_of(tensor);
  if (grades.size() < fewest_grades || grades.rbegin()->first > highest_grade) return false;
  std::size_t all = 0, most = 0;
  for (const auto& [grade, count] : grades) {
    all += count;
    most = std::max(most, count);
  }
  return all >= fewest_values && grades.begin()->second < most &&
         static_cast<double>(grades.rbegin()->second) >= share_of_the_highest * static_cast<double>(all);
}

std::string unlisted_ratings(const Tensor& tensor) {
  const SparseTensor* sparse = tensor.sparse();
  if (sparse == nullptr || sparse->zeros() < static_cast<double>(sparse->listed()) || !look_like_ratings(tensor))
    return {};
  return fmt::format(
      "the values look like ratings, and the {} cells that are not listed count as zeros; if they were never rated, "
      "use {}",
      format_count(sparse->zeros()), option_name("unlisted", "missing"));
}

std::vector<LossAdvice> advise_losses(const Tensor& tensor) {
  const ValueFacts facts = value_facts(tensor);
  const std::string range = fmt::format("{} to {}", facts.least, facts.greatest);
  const std::string nonnegative = fmt::format("add {} for nonnegative factors", option_name("lower", "0"));
  if (facts.binary) {
    return {{"bernoulli-odds", "all values are 0 or 1; factors are nonnegative and read as odds"},
            {"bernoulli-logit", "all values are 0 or 1; factors of either sign"}};
  }
  if (look_like_ratings(tensor)) {
    const std::string missing =
        unlisted_ratings(tensor).empty()
            ? ""
            : fmt::format("; add {} if unlisted cells were never rated", option_name("unlisted", "missing"));
    return {{"gaussian", fmt::format("ratings or grades ({}){}", range, missing)},
            {"huber", "as gaussian, but outliers count less"},
            {facts.whole ? "poisson" : "gamma",
             facts.whole ? "if these are counts" : "if their spread grows with their size"}};
  }
  if (facts.whole && facts.negatives == 0) {
    std::vector<LossAdvice> advice = {{"poisson", fmt::format("counts ({})", range)},
                                      {"negative-binomial", "counts that vary more than Poisson allows"}};
    if (facts.zeros == 0) advice.push_back({"zero-truncated-poisson", "counts that are never zero"});
    advice.push_back(
        {"gaussian", fmt::format("grades and scores, whose spread is the same everywhere ({})", nonnegative)});
    return advice;
  }
  if (facts.negatives > 0) {
    return {{"gaussian", fmt::format("real values of either sign ({})", range)},
            {"huber", "as gaussian, but outliers count less"}};
  }
  if (facts.zeros == 0) {
    return {{"gamma", fmt::format("positive values ({}) whose spread grows with their size", range)},
            {"rayleigh", "positive values, such as magnitudes"},
            {"gaussian", fmt::format("where the spread is the same everywhere ({})", nonnegative)}};
  }
  return {{"gaussian", fmt::format("nonnegative values ({}) with zeros ({})", range, nonnegative)},
          {"beta-divergence", "nonnegative values whose spread grows with their size"}};
}

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
         "`rank`: a model of shape {} and rank {} needs about {} of memory for the fit, {} are available; "
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
  const bool throughout = uses(info_of(*used.method), "L-BFGS-B");
  const MethodInfo* const finish = is_sampled(used) ? info_of(*used.finish).method : nullptr;
  if (throughout || (finish != nullptr && uses(*finish, "L-BFGS-B"))) {
    const double pairs = static_cast<double>(used.lbfgsb.pairs);
    const double runs = throughout ? at_once : 1.0;
    require("lbfgsb-pairs", pairs, 2 * pairs * factors * runs, there_is, "use fewer, or a lower rank");
  }
}

}  // namespace polyad
