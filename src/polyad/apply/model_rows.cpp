#include <polyad/apply/model_rows.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/json_fields.hpp>
#include <polyad/fit/units.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/solve/bounds.hpp>
#include <polyad/tensor/tensor.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace polyad {

namespace {

constexpr double least_share_of_start = 1e-3;  // of the largest entry: a component may be new to all rows so far
constexpr Index no_place = std::numeric_limits<Index>::max();

double mean_value(const Tensor& tensor) {
  double sum = 0;
  if (const SparseTensor* sparse = tensor.sparse()) {
    for (std::size_t t = 0; t < sparse->listed(); ++t) sum += sparse->records().value(t);
  } else {
    for (const double x : tensor.dense()->values()) sum += std::isnan(x) ? 0.0 : x;
  }
  return sum / std::max(1.0, tensor.observed());
}

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

// The place of each index of the whole in the part.
std::vector<Index> places(std::uint64_t extent, const std::vector<Index>& indices) {
  std::vector<Index> place(extent, no_place);
  for (std::size_t i = 0; i < indices.size(); ++i) place[indices[i]] = static_cast<Index>(i);
  return place;
}

Records part_of(const Records& cells, std::size_t mode, const std::vector<Index>& place) {
  Records out(cells.modes(), cells.weighted());
  std::array<Index, max_modes> index{};
  for (std::size_t t = 0; t < cells.size(); ++t) {
    std::copy_n(cells.index(t), cells.modes(), index.data());
    index[mode] = place[index[mode]];
    if (index[mode] != no_place) out.append(index.data(), cells.value(t), cells.weight(t));
  }
  return out;
}

DenseTensor part_of(const DenseTensor& tensor, std::size_t mode, const std::vector<Index>& indices,
                    const IndexSpace& space) {
  std::uint64_t inner = 1, outer = 1;
  for (std::size_t k = 0; k < space.modes(); ++k) (k < mode ? outer : inner) *= k == mode ? 1 : space.extent(k);
  AlignedVector<double> values, weights;
  for (std::uint64_t block = 0; block < outer; ++block) {
    for (const Index i : indices) {
      const std::uint64_t first = (block * tensor.space().extent(mode) + i) * inner;
      for (std::uint64_t cell = first; cell < first + inner; ++cell) {
        values.push_back(tensor.missing(cell) ? std::nan("") : tensor.value(cell));
        if (tensor.weighted()) weights.push_back(tensor.missing(cell) ? 1.0 : tensor.weight(cell));
      }
    }
  }
  DenseTensor out(space, std::move(values));
  if (tensor.weighted()) out.set_weights(std::move(weights));
  return out;
}

}  // namespace

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

double lower_bound_of(const ModelFile& file, std::size_t mode, const Loss& loss) {
  BoundOptions bounds;
  Json stored = Json::object();
  for_each_field<BoundOptions>([&](const auto& f) {
    const auto found = file.options->json.find(std::string(f.name));
    if (found != file.options->json.end()) stored[std::string(f.name)] = *found;
  });
  fields_from_json(stored, bounds);
  const std::vector<Segment> segments = make_segments(bounds, loss.info().lower, file.model.factors, file.labels);
  return segments[mode].lower >= 0 ? 0.0 : no_bound;
}

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

double unit_of_rows(const Tensor& data, const Loss& loss) {
  const double size = loss.info().units.any() ? size_of_values(data) : 0;
  return size > 0 ? power_of_two_near(size) : 1;
}

Factors with_new_rows(const Factors& factors, std::size_t mode, std::uint64_t rows) {
  std::vector<std::uint64_t> extents = factors.extents();
  extents[mode] = rows;
  Factors out(extents, factors.rank());
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    if (k != mode) std::ranges::copy(factors.mode_span(k), out.mode_span(k).begin());
  }
  return out;
}

std::vector<double> starting_row(const KTensor& model, std::size_t mode, const Factors& factors, const Tensor& data,
                                 const Loss& loss, double lower, double unit) {
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
  if (lower != 0) return mean;
  for (double& b : mean) b = std::max(b, least_share_of_start * largest);
  if (loss.info().units.any()) bring_to_size(factors, mode, mean_value(data) / unit, mean);
  return mean;
}

Tensor part_of(const Tensor& tensor, std::size_t mode, const std::vector<Index>& indices) {
  std::vector<std::uint64_t> extents(tensor.space().extents().begin(), tensor.space().extents().end());
  extents[mode] = indices.size();
  const IndexSpace space(extents);
  Labels labels = tensor.labels();
  if (mode < labels.modes() && !labels.mode(mode).entries.empty()) {
    std::vector<std::string> entries;
    for (const Index i : indices) entries.push_back(labels.mode(mode).entries[i]);
    labels.mode(mode).entries = std::move(entries);
  }
  if (const DenseTensor* dense = tensor.dense()) return {part_of(*dense, mode, indices, space), std::move(labels)};
  const SparseTensor& sparse = *tensor.sparse();
  const std::vector<Index> place = places(tensor.space().extent(mode), indices);
  SparseTensor out(space, part_of(sparse.records(), mode, place), sparse.unlisted());
  if (sparse.missing_cells() > 0) out.set_missing(part_of(sparse.missing(), mode, place));
  if (sparse.zero_weight() != 1) out.set_zero_weight(sparse.zero_weight());
  return {std::move(out), std::move(labels)};
}

Factors part_of(const Factors& factors, std::size_t mode, const std::vector<Index>& indices) {
  Factors out = with_new_rows(factors, mode, indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    std::copy_n(factors.row(mode, indices[i]), factors.stride(), out.row(mode, i));
  }
  return out;
}

}  // namespace polyad
