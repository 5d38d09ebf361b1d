#include <polyad/apply/transform.hpp>

#include <polyad/apply/match_labels.hpp>
#include <polyad/base/clock.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/json_fields.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/fit/check_data.hpp>
#include <polyad/fit/units.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/solve/bounds.hpp>
#include <polyad/tensor/tensor.hpp>
#include <polyad/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polyad {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_share_of_start = 1e-3;  // of the largest entry: a component may be new to all rows so far

// The bounds that hold for rows of any scale: 0, or none. Others were bounds of factors in the scale of the fit.
double lower_bound_of(const ModelFile& file, std::size_t mode, const Loss& loss) {
  BoundOptions bounds;
  Json stored = Json::object();
  for_each_field<BoundOptions>([&](const auto& f) {
    const auto found = file.options->json.find(std::string(f.name));
    if (found != file.options->json.end()) stored[std::string(f.name)] = *found;
  });
  fields_from_json(stored, bounds);
  const std::vector<Segment> segments = make_segments(bounds, loss.info().lower, file.model.factors, file.labels);
  return segments[mode].lower >= 0 ? 0.0 : -infinity;
}

// Models of other programs may have negative factors where the loss allows no negative values.
void check_factors(const KTensor& model, const Loss& loss, std::size_t mode) {
  if (loss.info().lower != 0) return;
  for (std::size_t k = 0; k < model.modes(); ++k) {
    const auto values = model.factors.mode_span(k);
    if (k != mode && std::ranges::any_of(values, [](double a) { return a < 0; })) {
      fail(ErrorKind::data, "the model has negative factors in mode {}, which loss {} does not allow", k + 1,
           loss.name());
    }
  }
}

// Where every row begins: the mean of the model's own rows, with their weights.
std::vector<double> mean_row(const KTensor& model, std::size_t mode, double lower, double unit) {
  const auto rows = static_cast<double>(model.factors.rows(mode));
  std::vector<double> mean(model.rank(), 0.0);
  for (std::size_t i = 0; i < model.factors.rows(mode); ++i) {
    for (std::size_t j = 0; j < model.rank(); ++j) mean[j] += model.factors.at(mode, i, j) / rows;
  }
  double largest = 0;
  for (std::size_t j = 0; j < model.rank(); ++j) {
    mean[j] *= model.weights[j] / unit;
    largest = std::max(largest, std::abs(mean[j]));
  }
  if (lower == 0) {
    for (double& b : mean) b = std::max(b, least_share_of_start * largest);
  }
  return mean;
}

double mean_value(const Tensor& tensor) {
  double sum = 0;
  if (const SparseTensor* sparse = tensor.sparse()) {
    for (std::size_t t = 0; t < sparse->listed(); ++t) sum += sparse->records().value(t);
  } else {
    for (const double x : tensor.dense()->values()) sum += std::isnan(x) ? 0.0 : x;
  }
  return sum / std::max(1.0, tensor.observed());
}

// Where all is positive, a start of another size than the data (a model of other units, a much busier year) is brought to theirs:
// not every loss has one minimum.
void bring_to_size(const Factors& factors, std::size_t mode, double mean, std::vector<double>& start) {
  double expected = 0;
  for (std::size_t j = 0; j < start.size(); ++j) {
    double part = start[j];
    for (std::size_t k = 0; k < factors.modes(); ++k) {
      if (k == mode) continue;
      double sum = 0;
      for (std::size_t i = 0; i < factors.rows(k); ++i) sum += factors.at(k, i, j);
      part *= sum / static_cast<double>(factors.rows(k));
    }
    expected += part;
  }
  const double ratio = mean / expected;
  if (!std::isfinite(ratio) || ratio <= 0) return;
  for (double& b : start) b *= ratio;
}

// The model's factors, with room for the new rows.
Factors with_new_rows(const KTensor& model, std::size_t mode, std::uint64_t rows) {
  std::vector<std::uint64_t> extents = model.factors.extents();
  extents[mode] = rows;
  Factors out(extents, model.rank());
  for (std::size_t k = 0; k < model.modes(); ++k) {
    if (k != mode) std::ranges::copy(model.factors.mode_span(k), out.mode_span(k).begin());
  }
  return out;
}

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
    Factors some = with_new_rows(out.model, out.mode, kept.size());
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

Loss loss_of_model(const ModelFile& file, const std::string& given) {
  const auto stored = file.options->json.find("loss");
  const bool known = stored != file.options->json.end() && stored->is_string();
  if (!known && given.empty())
    fail(ErrorKind::usage, "the model file does not say which loss it was fitted with; give `loss`");
  if (!known) return parse_loss(given);
  Loss loss = parse_loss(stored->get<std::string>());
  if (!given.empty() && parse_loss(given).spec() != loss.spec()) {
    fail(ErrorKind::usage, "the model was fitted with `loss {}`, not {}: leave `loss` out, or fit a model with it",
         loss.spec(), given);
  }
  return loss;
}

Transformed transform(const ModelFile& file, Tensor data, const TransformOptions& options, const Monitor& monitor) {
  const Stopwatch clock;
  validate_fields(options);
  const Loss loss = loss_of_model(file, options.loss);
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
  const double size = loss.info().units.any() ? size_of_values(joined.tensor) : 0;
  const double unit = size > 0 ? power_of_two_near(size) : 1;
  settings.lower /= unit;
  settings.upper /= unit;
  const Factors factors = with_new_rows(file.model, out.mode, joined.tensor.space().extent(out.mode));
  const ModeRows rows(joined.tensor, factors, out.mode, loss.in_units_of(unit),
                      {.samples = options.zero_samples, .seed = options.seed});
  out.zeros = rows.zeros();
  out.visited = rows.describe();
  out.remarks = std::move(joined.remarks);
  std::vector<double> start = mean_row(file.model, out.mode, settings.lower, unit);
  if (settings.lower == 0 && loss.info().units.any()) {
    bring_to_size(factors, out.mode, mean_value(joined.tensor) / unit, start);
  }
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
