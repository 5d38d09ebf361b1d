#include <polyad/apply/join.hpp>

#include <polyad/apply/match_labels.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/base/text.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

bool same_order(const std::vector<Index>& list, std::uint64_t extent) {
  if (list.size() != extent) return false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] != i) return false;
  }
  return true;
}

bool fits_as_it_is(const LabelMatch& match) {
  for (std::size_t k = 0; k < match.modes.size(); ++k) {
    const MatchedMode& mode = match.modes[k];
    if (mode.data_mode != k || !same_order(mode.joined_index, mode.extent)) return false;
  }
  return true;
}

// The place of a cell of the data; false where one of its labels is left out.
bool place(const LabelMatch& match, const Index* index, Index* out) {
  for (std::size_t k = 0; k < match.modes.size(); ++k) {
    out[k] = match.modes[k].joined_index[index[match.modes[k].data_mode]];
    if (out[k] == no_row) return false;
  }
  return true;
}

Records placed(const LabelMatch& match, const Records& cells, std::uint64_t& left_out) {
  Records out(match.modes.size(), cells.weighted());
  out.reserve(cells.size());
  std::array<Index, max_modes> index{};
  for (std::size_t t = 0; t < cells.size(); ++t) {
    if (place(match, cells.index(t), index.data())) {
      out.append(index.data(), cells.value(t), cells.weight(t));
    } else {
      ++left_out;
    }
  }
  return out;
}

SparseTensor joined_sparse(const LabelMatch& match, const IndexSpace& space, const SparseTensor& data,
                           std::uint64_t& left_out) {
  SparseTensor out(space, placed(match, data.records(), left_out), data.unlisted());
  std::uint64_t missing_left_out = 0;
  if (data.missing_cells() > 0) out.set_missing(placed(match, data.missing(), missing_left_out));
  if (data.zero_weight() != 1) out.set_zero_weight(data.zero_weight());
  return out;
}

DenseTensor joined_dense(const LabelMatch& match, const IndexSpace& space, const DenseTensor& data,
                         std::uint64_t& left_out) {
  const auto cells = space.exact_cells();
  if (!cells) fail(ErrorKind::data, "the joined tensor ({}) is too large to be dense", space.to_string());
  AlignedVector<double> values(*cells, std::nan(""));
  AlignedVector<double> weights;
  if (data.weighted()) weights.assign(*cells, 1.0);
  std::array<Index, max_modes> from{};
  std::array<Index, max_modes> to{};
  for (std::uint64_t cell = 0; cell < data.cells(); ++cell) {
    if (!data.missing(cell)) {
      if (place(match, from.data(), to.data())) {
        std::uint64_t at = 0;
        for (std::size_t k = 0; k < space.modes(); ++k) at = at * space.extent(k) + to[k];
        values[at] = data.value(cell);
        if (data.weighted()) weights[at] = data.weight(cell);
      } else {
        ++left_out;
      }
    }
    for (std::size_t k = data.space().modes(); k-- > 0;) {
      if (++from[k] < data.space().extent(k)) break;
      from[k] = 0;
    }
  }
  DenseTensor out(space, std::move(values));
  if (data.weighted()) out.set_weights(std::move(weights));
  return out;
}

}  // namespace

Joined join(const ModelSpace& model, Tensor data, NewLabels where, const JoinOptions& options) {
  validate_fields(options);
  LabelMatch match = match_labels(model, data, where, options);
  Labels labels(match.modes.size());
  std::vector<std::uint64_t> extents;
  std::vector<std::vector<Index>> model_row;
  for (std::size_t k = 0; k < match.modes.size(); ++k) {
    labels.mode(k) = std::move(match.modes[k].labels);
    extents.push_back(match.modes[k].extent);
    model_row.push_back(std::move(match.modes[k].model_row));
  }
  labels.set_import_options(model.labels.import_options());
  std::uint64_t left_out = 0;
  if (!fits_as_it_is(match)) {
    const IndexSpace space(extents);
    const SparseTensor* sparse = data.sparse();
    data = sparse != nullptr ? Tensor(joined_sparse(match, space, *sparse, left_out))
                             : Tensor(joined_dense(match, space, *data.dense(), left_out));
  }
  data.set_labels(std::move(labels));
  if (left_out > 0) {
    match.remarks.push_back(
        fmt::format("{} cells have labels that the model does not know and were left out", format_count(left_out)));
  }
  return {std::move(data), match.free_mode, std::move(model_row), left_out, std::move(match.remarks)};
}

}  // namespace polyad
