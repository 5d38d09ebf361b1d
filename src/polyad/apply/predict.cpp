#include <polyad/apply/predict.hpp>

#include <polyad/apply/model_rows.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/model.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

constexpr std::size_t cells_a_part = 16384;
constexpr double most_ranked = 2e9;
constexpr double most_filled = 2e9;

// The scale that fits the data of the fit best, from the figures that the model file keeps.
std::optional<double> scale_of(const ModelFile& file, const LossInfo& info) {
  const auto number = [&](const char* key) {
    const auto found = file.diagnostics->json.find(key);
    return found != file.diagnostics->json.end() && found->is_number() ? found->get<double>() : std::nan("");
  };
  const double cells = number("observed-cells");
  if (!(cells > 0)) return std::nullopt;
  return fitted_scale(info, number("loss") / cells, number("best-loss") / cells);
}

// The model's values of cells first .. first + count - 1, weights applied.
void model_values_at(const KTensor& model, const Records& cells, std::size_t first, std::size_t count, double* m) {
  const Factors& factors = model.factors;
  for (std::size_t t = 0; t < count; ++t) {
    const Index* index = cells.index(first + t);
    double sum = 0;
    for (std::size_t j = 0; j < model.rank(); ++j) {
      double product = model.weights[j];
      for (std::size_t k = 0; k < model.modes(); ++k) product *= factors.row(k, index[k])[j];
      sum += product;
    }
    m[t] = sum;
  }
}

void check_cells(const KTensor& model, const Records& cells) {
  for (std::size_t t = 0; t < cells.size(); ++t) {
    for (std::size_t k = 0; k < model.modes(); ++k) {
      if (cells.index(t)[k] < model.factors.rows(k)) continue;
      fail(ErrorKind::data, "cell {}: the model has no index {} in mode {}, only {}", t + 1,
           static_cast<std::uint64_t>(cells.index(t)[k]) + 1, k + 1, model.factors.rows(k));
    }
  }
}

}  // namespace

Predictor::Predictor(const ModelFile& file, const PredictOptions& options)
    : file_(file), options_(options), loss_(loss_of_model(file, options.loss)) {
  validate_fields(options);
  scale_ = options.scale ? options.scale : scale_of(file, loss_.info());
  if (options.scale && !has_scale(loss_.info())) {
    fail(ErrorKind::usage, "loss {} has no scale of its own: leave `scale` out", loss_.name());
  }
  likelihood_ = Likelihood::of(loss_, scale_);
}

std::string Predictor::why_no_intervals() const {
  if (likelihood_) return {};
  if (loss_.info().law == Law::none) return fmt::format("loss {} has no likelihood", loss_.name());
  return "the model file does not say how far data scatter; give `scale`";
}

std::vector<double> Predictor::expected(const Records& cells) const {
  check_cells(file_.model, cells);
  std::vector<double> out(cells.size());
  const std::size_t parts = (cells.size() + cells_a_part - 1) / cells_a_part;
  parallel_tasks(parts, thread_count(options_.threads), [&](std::size_t part) {
    const std::size_t first = part * cells_a_part;
    const std::size_t count = std::min(cells_a_part, cells.size() - first);
    std::vector<double> m(count);
    model_values_at(file_.model, cells, first, count, m.data());
    mean_values(loss_, count, m.data(), out.data() + first);
  });
  return out;
}

Predictions Predictor::predict(Records cells) const {
  Predictions out;
  out.expected = expected(cells);
  if (likelihood_) {
    out.low.resize(cells.size());
    out.high.resize(cells.size());
    const std::size_t parts = (cells.size() + cells_a_part - 1) / cells_a_part;
    parallel_tasks(parts, thread_count(options_.threads), [&](std::size_t part) {
      const std::size_t end = std::min(cells.size(), (part + 1) * cells_a_part);
      for (std::size_t t = part * cells_a_part; t < end; ++t) {
        std::tie(out.low[t], out.high[t]) = likelihood_->interval(out.expected[t], options_.level);
      }
    });
  }
  out.cells = std::move(cells);
  return out;
}

Tensor fill_missing(const Predictor& predictor, Tensor data) {
  const ModelFile& file = predictor.file();
  Joined joined = join({file.labels, file.model.factors.extents()}, std::move(data), NewLabels::nowhere);
  const Tensor& tensor = joined.tensor;
  const IndexSpace& space = tensor.space();
  const bool by_cells = tensor.is_sparse() && tensor.sparse()->unlisted() == Unlisted::zero;
  if (by_cells) {  // zeros are data: only cells that are declared missing are filled in
    const SparseTensor& sparse = *tensor.sparse();
    const std::vector<double> expected = predictor.expected(sparse.missing());
    Records records(space.modes());
    for (std::size_t t = 0; t < sparse.listed(); ++t)
      records.append(sparse.records().index(t), sparse.records().value(t));
    for (std::size_t t = 0; t < expected.size(); ++t) records.append(sparse.missing().index(t), expected[t]);
    return {SparseTensor(space, std::move(records)), tensor.labels()};
  }
  if (!(space.cells() <= most_filled)) {
    fail(ErrorKind::data, "filling in would write {} cells; give a list of those that are wanted instead",
         format_count(space.cells()));
  }
  require_memory("filling in every cell", 8 * space.cells());
  AlignedVector<double> values(*space.exact_cells(), std::nan(""));
  if (const DenseTensor* dense = tensor.dense()) {
    std::ranges::copy(dense->values(), values.begin());
  } else {
    const Records& records = tensor.sparse()->records();
    for (std::size_t t = 0; t < records.size(); ++t) {
      std::uint64_t at = 0;
      for (std::size_t k = 0; k < space.modes(); ++k) at = at * space.extent(k) + records.index(t)[k];
      values[at] = records.value(t);
    }
  }
  // In pieces, so that the list of cells stays short.
  Records cells(space.modes());
  std::vector<std::uint64_t> positions;
  std::vector<Index> index(space.modes(), 0);
  const auto fill = [&] {
    const std::vector<double> expected = predictor.expected(cells);
    for (std::size_t t = 0; t < expected.size(); ++t) values[positions[t]] = expected[t];
    cells.clear();
    positions.clear();
  };
  for (std::uint64_t cell = 0; cell < values.size(); ++cell) {
    if (std::isnan(values[cell])) {
      cells.append(index.data(), 0);
      positions.push_back(cell);
      if (positions.size() == (std::size_t{1} << 20)) fill();
    }
    for (std::size_t k = space.modes(); k-- > 0;) {
      if (++index[k] < space.extent(k)) break;
      index[k] = 0;
    }
  }
  fill();
  return {DenseTensor(space, std::move(values)), tensor.labels()};
}

namespace {

// The index that "user=12" means.
std::pair<std::size_t, Index> held_index(const ModelFile& file, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    fail(ErrorKind::usage, "`for`: '{}' is not of the form MODE=LABEL", text);
  }
  const std::size_t mode = file.labels.find_mode(text.substr(0, equals));
  const std::string label = text.substr(equals + 1);
  const std::vector<std::string>& entries = file.labels.mode(mode).entries;
  if (!entries.empty()) {
    const auto found = std::ranges::find(entries, label);
    if (found == entries.end()) {
      fail(ErrorKind::data, "{}: the model does not know '{}'{}", file.labels.mode_name(mode), label,
           did_you_mean(label, std::vector<std::string_view>(entries.begin(), entries.end())));
    }
    return {mode, static_cast<Index>(found - entries.begin())};
  }
  std::uint64_t number = 0;
  parse_value(fmt::format("`for`: {}", text.substr(0, equals)), label, number);
  if (number < 1 || number > file.model.factors.rows(mode)) {
    fail(ErrorKind::data, "{} has indices 1 to {}, not {}", file.labels.mode_name(mode), file.model.factors.rows(mode),
         number);
  }
  return {mode, static_cast<Index>(number - 1)};
}

bool is_seen(const Tensor& tensor, const Index* index) {
  if (const DenseTensor* dense = tensor.dense()) {
    return !dense->missing(dense->position({index, tensor.space().modes()}));
  }
  return tensor.sparse()->is_listed(index);
}

}  // namespace

Predictions top_cells(const Predictor& predictor, const TopRequest& request) {
  const ModelFile& file = predictor.file();
  const std::size_t d = file.model.modes();
  std::vector<bool> held(d);
  std::vector<Index> index(d, 0);
  for (const std::string& text : request.held) {
    const auto [mode, at] = held_index(file, text);
    if (held[mode]) fail(ErrorKind::usage, "`for` gives {} twice", file.labels.mode_name(mode));
    held[mode] = true;
    index[mode] = at;
  }
  double cells = 1;
  for (std::size_t k = 0; k < d; ++k) cells *= held[k] ? 1.0 : static_cast<double>(file.model.factors.rows(k));
  if (cells > most_ranked) {
    fail(ErrorKind::usage, "ranking would visit {} cells; hold more modes by `for`", format_count(cells));
  }
  // A heap of the best so far, the worst of them on top. Of equals the earlier cell is better.
  struct Ranked {
    double expected;
    std::vector<Index> index;
  };
  const auto better = [](const Ranked& a, const Ranked& b) {
    return a.expected != b.expected ? a.expected > b.expected : a.index < b.index;
  };
  std::vector<Ranked> best;
  Records block(d);
  const auto rank_block = [&] {
    const std::vector<double> expected = predictor.expected(block);
    for (std::size_t t = 0; t < expected.size(); ++t) {
      if (best.size() == request.count && !(expected[t] > best.front().expected)) continue;
      if (request.seen != nullptr && is_seen(*request.seen, block.index(t))) continue;
      best.push_back({expected[t], {block.index(t), block.index(t) + d}});
      std::ranges::push_heap(best, better);
      if (best.size() <= request.count) continue;
      std::ranges::pop_heap(best, better);
      best.pop_back();
    }
    block.clear();
  };
  for (bool more = true; more;) {
    block.append(index.data(), std::nan(""));
    if (block.size() == 4 * cells_a_part) rank_block();
    more = false;
    for (std::size_t k = d; k-- > 0;) {
      if (held[k]) continue;
      if (++index[k] < file.model.factors.rows(k)) {
        more = true;
        break;
      }
      index[k] = 0;
    }
  }
  rank_block();
  std::ranges::sort(best, better);
  Records found(d);
  for (const Ranked& cell : best) found.append(cell.index.data(), std::nan(""));
  return predictor.predict(std::move(found));
}

}  // namespace polyad
