#include <polyad/apply/update.hpp>

#include <polyad/apply/births.hpp>
#include <polyad/apply/match_labels.hpp>
#include <polyad/apply/model_rows.hpp>
#include <polyad/apply/slice_memory.hpp>
#include <polyad/apply/update_sweeps.hpp>
#include <polyad/base/clock.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/base/text.hpp>
#include <polyad/fit/check_data.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/solve/rows/row_objective.hpp>
#include <polyad/solve/rows/solve_mode.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polyad {

namespace {

constexpr std::size_t most_births = 3;  // in one update

Joined joined_slices(const ModelFile& file, Tensor data, const UpdateOptions& options) {
  JoinOptions join_options;
  join_options.mode = options.mode;
  join_options.unknown = options.unknown == Growth::ignore ? UnknownLabels::ignore : UnknownLabels::error;
  return join({file.labels, file.model.factors.extents()}, std::move(data),
              options.unknown == Growth::add ? NewLabels::slices_and_others : NewLabels::in_one_mode, join_options);
}

// What each slice counts before this update, by what the file says of earlier ones.
std::vector<double> remembered_in(const ModelFile& file, std::size_t mode) {
  std::vector<double> counts(file.model.factors.rows(mode), 1.0);
  const auto stored = file.summary->json.find("remembered");
  if (stored == file.summary->json.end() || stored->value("mode", std::string()) != file.labels.mode_name(mode)) {
    return counts;
  }
  const auto given = stored->find("counts");
  if (given == stored->end() || !given->is_array() || given->size() != counts.size()) return counts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if ((*given)[i].is_number()) counts[i] = std::clamp((*given)[i].get<double>(), 0.0, 1.0);
  }
  return counts;
}

// The old model with all weights in its slices, divided by the unit.
Factors with_weights_in(const KTensor& model, std::size_t mode, double unit) {
  Factors out = model.factors;
  for (std::size_t i = 0; i < out.rows(mode); ++i) {
    for (std::size_t j = 0; j < out.rank(); ++j) out.at(mode, i, j) *= model.weights[j] / unit;
  }
  return out;
}

// The old factors in the joined space: labels that are new begin at the mean of the others.
Factors grown(const Factors& old, const IndexSpace& space) {
  Factors out({space.extents().begin(), space.extents().end()}, old.rank());
  for (std::size_t k = 0; k < old.modes(); ++k) {
    const std::size_t both = std::min(old.rows(k), out.rows(k));
    std::copy_n(old.row(k, 0), both * old.stride(), out.row(k, 0));
    for (std::size_t i = both; i < out.rows(k); ++i) {
      for (std::size_t j = 0; j < old.rank(); ++j) {
        double sum = 0;
        for (std::size_t known = 0; known < old.rows(k); ++known) sum += old.at(k, known, j);
        out.at(k, i, j) = sum / static_cast<double>(old.rows(k));
      }
    }
  }
  return out;
}

// Old and new slices in one model: a new account replaces an old one, new labels follow.
struct AllSlices {
  std::vector<Index> row;  ///< of each new slice
  std::uint64_t rows = 0;
};

AllSlices place_slices(const Joined& joined, std::size_t mode, std::uint64_t old_rows) {
  AllSlices all{joined.model_row[mode], old_rows};
  for (Index& row : all.row) row = row == no_row ? static_cast<Index>(all.rows++) : row;
  return all;
}

Labels labels_of_all(const ModelFile& file, const Tensor& data, std::size_t mode, const AllSlices& all) {
  Labels labels = data.labels();
  const std::vector<std::string> fresh = labels.mode(mode).entries;
  labels.mode(mode) = file.labels.mode(mode);
  std::vector<std::string>& entries = labels.mode(mode).entries;
  if (entries.empty() || fresh.empty()) {
    entries.clear();  // old or new slices have only their numbers
    return labels;
  }
  entries.resize(all.rows);
  for (std::size_t i = 0; i < all.row.size(); ++i) entries[all.row[i]] = fresh[i];
  return labels;
}

// What slices count from now on: the old ones less with each new one, the new ones among themselves as well.
std::vector<double> counts_after(std::vector<double> counts, const AllSlices& all, double forget) {
  const auto n = static_cast<double>(all.row.size());
  counts.resize(all.rows, 1.0);
  for (double& count : counts) count *= std::pow(forget, n);
  for (std::size_t i = 0; i < all.row.size(); ++i) {
    counts[all.row[i]] = std::pow(forget, n - 1 - static_cast<double>(i));
  }
  return counts;
}

// Goes on from another model, which the trace follows.
void run_again(const UpdateSweeps& sweeps, const Tensor& tensor, Factors now, const Monitor& monitor, SweepsEnd& end) {
  Trace trace = std::move(end.trace);
  end = sweeps.run(tensor, std::move(now), monitor);
  for (TraceRow row : end.trace) {
    row.epoch += trace.size();
    trace.push_back(row);
  }
  end.trace = std::move(trace);
}

void give_birth(const UpdateSweeps& sweeps, const Tensor& tensor, std::vector<double> start, const Monitor& monitor,
                SweepsEnd& end, Updated& out) {
  if (tensor.space().extent(out.mode) < least_slices_for_births) {
    out.remarks.push_back(fmt::format("fewer than {} new slices: whether they hold a new component cannot be judged",
                                      least_slices_for_births));
    return;
  }
  for (std::size_t n = 0; n < most_births && !monitor.interrupted(); ++n) {
    auto birth = try_birth(sweeps, tensor, end.now, start, monitor);
    if (!birth) return;
    out.born.push_back(birth->now.rank() - 1);
    out.remarks.push_back(
        fmt::format("component {} is born: it lowers the loss of held-out cells by {:.3g} per slice "
                    "(standard error {:.2g})",
                    birth->now.rank(), birth->gain, birth->error));
    start.resize(birth->now.rank(), *std::ranges::max_element(start));
    run_again(sweeps, tensor, std::move(birth->now), monitor, end);
  }
}

// The rows of old slices, of those in memory, which saw their data, and of the new ones.
Factors all_rows(const Factors& past, const SweepsEnd& end, const std::vector<Index>& in_memory, const AllSlices& all,
                 std::size_t mode) {
  Factors model = with_new_rows(end.now, mode, all.rows);
  const std::size_t stride = model.stride();
  for (std::size_t i = 0; i < past.rows(mode); ++i) std::copy_n(past.row(mode, i), past.rank(), model.row(mode, i));
  for (std::size_t i = 0; i < in_memory.size(); ++i) {
    std::copy_n(end.kept->row(mode, i), stride, model.row(mode, in_memory[i]));
  }
  for (std::size_t i = 0; i < all.row.size(); ++i) {
    std::copy_n(end.now.row(mode, i), stride, model.row(mode, all.row[i]));
  }
  return model;
}

// Which components are to be left out: those that nothing uses any more.
void find_dead(const UpdateSweeps& sweeps, const Tensor& tensor, const Factors& old, std::vector<double> start,
               const Monitor& monitor, const SweepsEnd& end, Updated& out) {
  start.resize(end.now.rank(), *std::ranges::max_element(start));
  for (const std::size_t j : forgotten_components(old, out.mode, sweeps.settings().remembered)) {
    if (out.died.size() + 1 == end.now.rank() || !is_dead(sweeps, tensor, end.now, j, start, monitor)) continue;
    out.died.push_back(j);
    out.remarks.push_back(fmt::format("component {} died: nothing that is remembered uses it", j + 1));
  }
  for (std::size_t& j : out.born) j -= out.died.size();
}

// The loss of each slice, in the unit of the data.
std::vector<double> slice_losses(const Tensor& tensor, const Loss& loss, Factors rows, std::size_t mode, double unit,
                                 std::size_t threads) {
  for (double& b : rows.mode_span(mode)) b *= unit;
  const ModeRows problem(tensor, rows, mode, loss);
  return row_values({problem.rows(), [&] { return std::make_unique<RowObjective>(problem); }}, mode, threads, rows);
}

// Weights of components into unit columns; their order stays.
void take_model(Factors factors, double unit, Updated& out) {
  for (double& b : factors.mode_span(out.mode)) b *= unit;
  out.model = KTensor(std::move(factors));
  normalize(out.model);
}

}  // namespace

Updated update(const ModelFile& file, Tensor data, const UpdateOptions& options, const UpdateInputs& inputs,
               const Monitor& monitor) {
  const Stopwatch clock;
  validate_fields(options);
  const Loss loss = loss_of_model(file, options.loss);
  Joined joined = joined_slices(file, std::move(data), options);
  const Tensor& tensor = joined.tensor;
  Updated out;
  out.mode = *joined.free_mode;
  out.remarks = std::move(joined.remarks);
  check_domain(tensor, loss);
  check_factors(file.model, loss, file.model.modes());
  const double unit = unit_of_rows(tensor, loss);
  const Loss inner = loss.in_units_of(unit);
  const Factors old = with_weights_in(file.model, out.mode, unit);
  const AllSlices all = place_slices(joined, out.mode, old.rows(out.mode));
  out.known_again = all.row.size() - (all.rows - old.rows(out.mode));

  SweepSettings settings;
  settings.slices = out.mode;
  for (std::size_t k = 0; k < old.modes(); ++k) settings.lower.push_back(lower_bound_of(file, k, loss));
  const std::vector<double> counts = remembered_in(file, out.mode);
  settings.remembered = counts;
  for (double& count : settings.remembered) count *= std::pow(options.forget, static_cast<double>(all.row.size()));
  for (const Index row : joined.model_row[out.mode]) {
    if (row != no_row) settings.remembered[row] = 0;
  }
  settings.sweeps = options.sweeps;
  settings.tolerance = options.tolerance;
  settings.replay_cells = options.replay_cells;
  settings.seed = options.seed;
  settings.threads = thread_count(options.threads);
  std::optional<SliceMemory> memory;
  if (inputs.memory != nullptr) {
    memory = join_memory(*inputs.memory, tensor, file, out.mode, settings.remembered);
    check_domain(memory->tensor, loss);
  }
  const UpdateSweeps sweeps(inner, old, memory ? &*memory : nullptr, settings);

  Factors now = grown(old, tensor.space());
  const std::vector<double> start =
      starting_row(file.model, out.mode, now, tensor, loss, settings.lower[out.mode], unit);
  sweeps.solve_slices(tensor, start, now, monitor);
  const std::vector<double> before = slice_losses(tensor, loss, now, out.mode, unit, settings.threads);
  SweepsEnd end = sweeps.run(tensor, std::move(now), monitor);
  if (options.births == Births::automatic && !monitor.interrupted()) {
    give_birth(sweeps, tensor, start, monitor, end, out);
    find_dead(sweeps, tensor, old, start, monitor, end, out);
  }
  const std::vector<Index> in_memory = memory ? memory->rows : std::vector<Index>{};
  Factors model = all_rows(sweeps.express_old(end.now, monitor), end, in_memory, all, out.mode);
  if (!out.died.empty()) {
    // The others take over what the dead ones still explained.
    model = without(model, out.died);
    Factors rest = without(end.now, out.died);
    sweeps.solve_slices(tensor, {}, rest, monitor);
    for (std::size_t i = 0; i < all.row.size(); ++i) {
      std::copy_n(rest.row(out.mode, i), rest.stride(), model.row(out.mode, all.row[i]));
    }
    end.now = std::move(rest);
  }
  const std::vector<double> after = slice_losses(tensor, loss, end.now, out.mode, unit, settings.threads);
  for (std::size_t i = 0; i < all.row.size(); ++i) {
    out.slices.push_back({tensor.labels().entry(out.mode, i), before[i], after[i]});
  }
  out.why = end.why;
  out.trace = std::move(end.trace);
  const double back = loss.info().units.any() ? std::pow(unit, loss.info().units.degree) : 1.0;
  for (TraceRow& row : out.trace) row.estimate *= back;
  out.labels = labels_of_all(file, tensor, out.mode, all);
  out.remembered = counts_after(counts, all, options.forget);
  take_model(std::move(model), unit, out);
  if (inputs.keep_memory) {
    out.memory = next_memory(memory ? &*memory : nullptr, tensor, out.mode, out.labels, out.remembered,
                             options.memory_slices, options.seed);
  }
  out.seconds = clock.seconds();
  return out;
}

}  // namespace polyad
