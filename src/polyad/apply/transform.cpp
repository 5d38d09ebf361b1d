#include <polyad/apply/transform.hpp>

#include <polyad/apply/match_labels.hpp>
#include <polyad/apply/model_rows.hpp>
#include <polyad/base/clock.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/fit/check_data.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/tensor/tensor.hpp>
#include <polyad/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polyad {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Takes over the rows that were begun, in the scale of the data.
void take_rows(SolvedRows&& solved, double unit, const Labels& labels, Transformed& out) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < solved.states.size(); ++i) {
    if (solved.states[i] != RowState::not_begun) kept.push_back(i);
  }
  out.interrupted = kept.size() < solved.states.size();
  if (kept.empty()) fail(ErrorKind::data, "interrupted before the first row was found");
  out.model = KTensor(std::move(solved.factors));
  out.labels = labels;
  for (double& b : out.model.factors.mode_span(out.mode)) b *= unit;
  if (out.interrupted) {
    Factors some = with_new_rows(out.model.factors, out.mode, kept.size());
    std::vector<std::string> entries;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      std::copy_n(out.model.factors.row(out.mode, kept[i]), some.stride(), some.row(out.mode, i));
      entries.push_back(labels.entry(out.mode, kept[i]));
    }
    out.model = KTensor(std::move(some));
    out.labels.mode(out.mode).entries = std::move(entries);
  }
  for (const std::size_t i : kept) {
    out.ends.push_back(solved.ends[i]);
    out.states.push_back(solved.states[i]);
  }
  for (const RowEnd& end : out.ends)
    out.passes += static_cast<double>(end.iterations) / static_cast<double>(kept.size());
  out.worst_residual = solved.worst_residual;
}

}  // namespace

std::size_t Transformed::rows_in(RowState state) const {
  return static_cast<std::size_t>(std::ranges::count(states, state));
}

std::vector<std::string> Transformed::labels_in(RowState state) const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i] == state) out.push_back(labels.entry(mode, i));
  }
  return out;
}

Transformed transform(const ModelFile& file, Tensor data, const TransformOptions& options, const Monitor& monitor) {
  validate_fields(options);
  return transform(file, std::move(data), loss_of_model(file, options.loss), options, monitor);
}

Transformed transform(const ModelFile& file, Tensor data, const Loss& loss, const TransformOptions& options,
                      const Monitor& monitor) {
  const Stopwatch clock;
  validate_fields(options);
  Joined joined = join({file.labels, file.model.factors.extents()}, std::move(data), NewLabels::in_one_mode, options);
  Transformed out;
  out.mode = *joined.free_mode;
  check_domain(joined.tensor, loss);
  check_factors(file.model, loss, out.mode);
  RowNewtonSettings settings;
  settings.lower = options.lower.value_or(lower_bound_of(file, out.mode, loss));
  settings.upper = options.upper.value_or(infinity);
  settings.tolerance = options.tolerance;
  if (!(settings.lower <= settings.upper)) {
    fail(ErrorKind::usage, "`lower` is above `upper` ({} and {})", settings.lower, settings.upper);
  }
  const double unit = unit_of_rows(joined.tensor, loss);
  settings.lower /= unit;
  settings.upper /= unit;
  const Factors factors = with_new_rows(file.model.factors, out.mode, joined.tensor.space().extent(out.mode));
  const ModeRows rows(joined.tensor, factors, out.mode, loss.in_units_of(unit),
                      {.samples = options.zero_samples, .seed = options.seed});
  out.zeros = rows.zeros();
  out.visited = rows.describe();
  out.remarks = std::move(joined.remarks);
  const std::vector<double> start =
      starting_row(file.model, out.mode, factors, joined.tensor, loss, settings.lower, unit);
  SolvedRows solved = solve_mode(rows, start, settings, thread_count(options.threads), monitor);
  take_rows(std::move(solved), unit, joined.tensor.labels(), out);
  out.seconds = clock.seconds();
  return out;
}

ModelFile to_model_file(const Transformed& result, const ModelFile& original) {
  ModelFile file;
  file.model = result.model;
  file.labels = result.labels;
  file.options = original.options;
  file.summary->json["version"] = version;
  Json& facts = file.summary->json["transform"];
  facts["mode"] = result.labels.mode_name(result.mode);
  facts["rows"] = result.states.size();
  facts["worst-residual"] = result.worst_residual;
  facts["without-data"] = result.labels_in(RowState::no_data);
  facts["not-solved"] = result.labels_in(RowState::stopped);
  facts["visited"] = result.visited;
  facts["passes"] = result.passes;
  facts["interrupted"] = result.interrupted;
  facts["seconds"] = result.seconds;
  return file;
}

}  // namespace polyad
