#include <polyad/apply/model_of_data.hpp>

#include <polyad/apply/match_labels.hpp>
#include <polyad/apply/transform.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

// The model's rows of one mode in the data's order; zeros where it has none. Weights go there, as in a transform.
KTensor with_rows(const KTensor& model, std::size_t mode, const std::vector<Index>& rows) {
  std::vector<std::uint64_t> extents = model.factors.extents();
  extents[mode] = rows.size();
  Factors out(extents, model.rank());
  for (std::size_t k = 0; k < model.modes(); ++k) {
    if (k != mode) std::ranges::copy(model.factors.mode_span(k), out.mode_span(k).begin());
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == no_row) continue;
    for (std::size_t j = 0; j < model.rank(); ++j) {
      out.at(mode, i, j) = model.weights[j] * model.factors.at(mode, rows[i], j);
    }
  }
  return KTensor(std::move(out));
}

// What an absent label means is easily overlooked: a week judged by a year's model would have 358 silent days.
void remark_on_absent(const LabelMatch& match, const Tensor& data, Remarks& remarks) {
  if (!data.is_sparse() || data.sparse()->unlisted() == Unlisted::missing) return;
  for (std::size_t k = 0; k < match.modes.size(); ++k) {
    const MatchedMode& mode = match.modes[k];
    const auto known =
        static_cast<std::uint64_t>(std::ranges::count_if(mode.joined_index, [](Index i) { return i != no_row; }));
    if (k == match.free_mode || known >= mode.extent) continue;
    const std::string name = mode.labels.name.empty() ? fmt::format("mode {}", k + 1) : mode.labels.name;
    remarks.push_back(fmt::format(
        "{}: {} of the model's {} labels are not in the data and count as zeros; `mode {}` judges the others alone",
        name, format_count(mode.extent - known), format_count(mode.extent), name));
  }
}

}  // namespace

ModelOfData model_of_data(const ModelFile& file, Tensor data, const JoinOptions& options, const std::string& loss,
                          std::uint64_t threads) {
  const ModelSpace space{file.labels, file.model.factors.extents()};
  const bool one_mode = !options.mode.empty() || !modes_with_new_labels(space, data).empty();
  const NewLabels where = one_mode ? NewLabels::in_one_mode : NewLabels::nowhere;
  Remarks remarks;
  remark_on_absent(match_labels(space, data, where, options), data, remarks);
  if (!one_mode) {
    Joined joined = join(space, std::move(data), where, options);
    remarks.insert(remarks.begin(), joined.remarks.begin(), joined.remarks.end());
    KTensor model = file.model;
    distribute_weights(model);
    return {std::move(model), std::move(joined.tensor), std::move(remarks)};
  }
  Joined joined = join(space, data, where, options);
  remarks.insert(remarks.begin(), joined.remarks.begin(), joined.remarks.end());
  const std::size_t mode = *joined.free_mode;
  const std::vector<Index>& rows = joined.model_row[mode];
  KTensor model = with_rows(file.model, mode, rows);
  if (std::ranges::count(rows, no_row) > 0) {
    TransformOptions settings;
    static_cast<JoinOptions&>(settings) = options;
    settings.loss = loss;
    settings.threads = threads;
    const Transformed found = transform(file, std::move(data), settings);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] == no_row) std::copy_n(found.model.factors.row(mode, i), model.rank(), model.factors.row(mode, i));
    }
    remarks.push_back(
        fmt::format("rows of new labels were found from these data ({} passes, largest KKT residual {:.1g})",
                    std::lround(found.passes), found.worst_residual));
  }
  distribute_weights(model);
  return {std::move(model), std::move(joined.tensor), std::move(remarks)};
}

}  // namespace polyad
