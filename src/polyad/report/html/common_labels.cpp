// Models of different labels on one page: the union of their labels, and matches over what they share.

#include <polyad/base/error.hpp>
#include <polyad/report/html/report_parts.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace polyad {

namespace {

LabelledSpace space_of(const ReportModel& model) {
  return {model.file.labels, model.file.model.factors.extents(), model.name};
}

// All labels of one mode. `modes` is which mode of each model it is.
std::vector<std::string> all_labels(const std::vector<ReportModel>& models, const std::vector<std::size_t>& modes) {
  std::vector<std::string> all;
  std::unordered_map<std::string_view, bool> seen;
  bool in_order = true;
  for (std::size_t m = 0; m < models.size(); ++m) {
    const std::vector<std::string>& own = labels_of_mode(models[m].file.labels, modes[m]).entries;
    in_order = in_order && std::ranges::is_sorted(own);
    for (const std::string& label : own) {
      if (seen.emplace(label, true).second) all.push_back(label);
    }
  }
  if (in_order) std::ranges::sort(all);
  return all;
}

ReportModel placed(const ReportModel& model, const std::vector<std::size_t>& modes,
                   const std::vector<std::vector<Index>>& rows, const Labels& labels) {
  ReportModel out = model;
  out.file.model = placed_rows(model.file.model, modes, rows);
  out.file.labels = labels;
  if (model.file.slices.empty()) return out;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    out.file.slices[k].assign(rows[k].size(), SliceFit{});
    for (std::size_t i = 0; i < rows[k].size(); ++i) {
      if (rows[k][i] != absent_row) out.file.slices[k][i] = model.file.slices[modes[k]][rows[k][i]];
    }
  }
  return out;
}

double column_cosine(const KTensor& a, std::size_t p, const KTensor& b, std::size_t q, std::size_t mode) {
  double product = 0;
  for (std::size_t i = 0; i < a.factors.rows(mode); ++i) product += a.factors.at(mode, i, p) * b.factors.at(mode, i, q);
  return std::clamp(product, -1.0, 1.0);
}

}  // namespace

std::vector<ReportModel> on_common_labels(const std::vector<ReportModel>& models) {
  if (models.empty()) fail(ErrorKind::usage, "a report needs a model");
  const LabelledSpace first = space_of(models.front());
  std::vector<SharedLabels> shared;
  bool same = true;
  for (const ReportModel& model : models) {
    shared.push_back(shared_labels(first, space_of(model)));
    same = same && shared.back().same(first, space_of(model));
  }
  if (same) return models;
  const std::size_t d = first.extents.size();
  Labels labels(d);
  std::vector<std::vector<std::vector<Index>>> rows(models.size(), std::vector<std::vector<Index>>(d));
  std::vector<std::vector<std::size_t>> modes(models.size(), std::vector<std::size_t>(d));
  for (std::size_t k = 0; k < d; ++k) {
    std::vector<std::size_t> mode_of;
    bool by_label = true;
    for (std::size_t m = 0; m < models.size(); ++m) {
      mode_of.push_back(shared[m].modes[k].of_b);
      modes[m][k] = mode_of.back();
      by_label = by_label && shared[m].modes[k].by_label;
    }
    labels.mode(k).name = labels_of_mode(models.front().file.labels, k).name;
    if (!by_label) {  // the same number of indices in all of them
      for (std::size_t m = 0; m < models.size(); ++m) {
        const std::vector<std::string>& own = labels_of_mode(models[m].file.labels, mode_of[m]).entries;
        if (labels.mode(k).entries.empty()) labels.mode(k).entries = own;
        for (std::size_t i = 0; i < first.extents[k]; ++i) rows[m][k].push_back(static_cast<Index>(i));
      }
      continue;
    }
    labels.mode(k).entries = all_labels(models, mode_of);
    for (std::size_t m = 0; m < models.size(); ++m) {
      const std::vector<std::string>& own = labels_of_mode(models[m].file.labels, mode_of[m]).entries;
      std::unordered_map<std::string_view, Index> at;
      for (std::size_t i = 0; i < own.size(); ++i) at.emplace(own[i], static_cast<Index>(i));
      for (const std::string& label : labels.mode(k).entries) {
        const auto found = at.find(label);
        rows[m][k].push_back(found == at.end() ? absent_row : found->second);
      }
    }
  }
  std::vector<ReportModel> out;
  for (std::size_t m = 0; m < models.size(); ++m) out.push_back(placed(models[m], modes[m], rows[m], labels));
  return out;
}

ModelMatch match_models(const KTensor& a, const LabelledSpace& space_a, const KTensor& b,
                        const LabelledSpace& space_b) {
  SharedModels shared = shared_models(a, space_a, b, space_b);
  Score found = score(shared.a, shared.b);
  normalize(shared.a);
  normalize(shared.b);
  ModelMatch result{found.value, std::move(found.match), std::move(found.cosines), {}};
  for (std::size_t p = 0; p < a.rank(); ++p) {
    auto& cosines = result.mode_cosines.emplace_back();
    if (result.match[p] == Score::npos) continue;
    cosines.assign(a.modes(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < shared.modes.size(); ++k) {
      cosines[shared.modes[k]] = column_cosine(shared.a, p, shared.b, result.match[p], k);
    }
  }
  return result;
}

}  // namespace polyad
