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
    Trace before = std::move(end.trace);
    end = sweeps.run(tensor, std::move(birth->now), monitor);
    for (TraceRow& row : end.trace) {
      row.epoch += before.size();
      before.push_back(row);
    }
    end.trace = std::move(before);
  }
}

// The rows of old slices, of those in memory, which saw their data, and of the new ones.
Factors all_rows(const Factors& past, const SweepsEnd& end, const std::vector<Index>& in_memory, const AllSlices& all,
                 std::size_t mode) {
  Factors model = with_new_rows(end.now, mode, all.rows);
  const std::size_t stride = model.stride();
  for (std::size_t i = 0; i < past.rows(mode); ++i) std::copy_n(past.row(mode, i), stride, model.row(mode, i));
  for (std::size_t i = 0; i < in_memory.size(); ++i) {
    std::copy_n(end.kept->row(mode, i), stride, model.row(mode, in_memory[i]));
  }
  for (std::size_t i = 0; i < all.row.size(); ++i) {
    std::copy_n(end.now.row(mode, i), stride, model.row(mode, all.row[i]));
  }
  return model;
}

// Leaves out components that nothing uses any more; those just born are given time.
void bury(Factors& model, Updated& out) {
  out.died = dead_components(model, out.mode, out.remembered);
  std::erase_if(out.died, [&](std::size_t j) { return std::ranges::find(out.born, j) != out.born.end(); });
  if (out.died.empty()) return;
  model = without(model, out.died);
  for (std::size_t& j : out.born) j -= out.died.size();
  for (const std::size_t j : out.died) {
    out.remarks.push_back(fmt::format("component {} died: nothing that is remembered uses it", j + 1));
  }
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
  const std::vector<double> before = sweeps.solve_slices(tensor, start, now, monitor);
  SweepsEnd end = sweeps.run(tensor, std::move(now), monitor);
  if (options.births == Births::automatic && !monitor.interrupted()) {
    give_birth(sweeps, tensor, start, monitor, end, out);
  }
  out.why = end.why;
  out.trace = std::move(end.trace);

  Factors model =
      all_rows(sweeps.express_old(end.now, monitor), end, memory ? memory->rows : std::vector<Index>{}, all, out.mode);
  out.labels = labels_of_all(file, tensor, out.mode, all);
  out.remembered = counts_after(counts, all, options.forget);
  for (std::size_t i = 0; i < all.row.size(); ++i) {
    const double after = end.slice_loss.empty() ? before[i] : end.slice_loss[i];
    out.slices.push_back({tensor.labels().entry(out.mode, i), before[i], after});
  }
  if (options.births == Births::automatic) bury(model, out);
  take_model(std::move(model), unit, out);
  if (inputs.keep_memory) {
    out.memory = next_memory(memory ? &*memory : nullptr, tensor, out.mode, out.labels, out.remembered,
                             options.memory_slices, options.seed);
  }
  out.seconds = clock.seconds();
  return out;
}

}  // namespace polyad
