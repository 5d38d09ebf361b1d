#include <polyad/model/shared_labels.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace polyad {

namespace {

using RowByLabel = std::unordered_map<std::string_view, Index>;

const ModeLabels& mode_of(const LabelledSpace& space, std::size_t k) {
  static const ModeLabels none;
  return k < space.labels.modes() ? space.labels.mode(k) : none;
}

// Empty where a label occurs twice.
RowByLabel rows_by_label(const ModeLabels& mode) {
  RowByLabel rows;
  for (std::size_t i = 0; i < mode.entries.size(); ++i) {
    if (!rows.emplace(mode.entries[i], static_cast<Index>(i)).second) return {};
  }
  return rows;
}

// The mode of b for each of a's.
std::vector<std::size_t> matched_by_name(const LabelledSpace& a, const LabelledSpace& b) {
  std::vector<std::size_t> modes(a.extents.size());
  std::iota(modes.begin(), modes.end(), std::size_t{0});
  std::vector<std::size_t> by_name;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const std::string& name = mode_of(a, k).name;
    std::size_t found = modes.size(), count = 0;
    for (std::size_t l = 0; l < modes.size(); ++l) {
      if (mode_of(b, l).name != name) continue;
      found = l;
      ++count;
    }
    if (name.empty() || count != 1 || std::ranges::find(by_name, found) != by_name.end()) return modes;
    by_name.push_back(found);
  }
  return by_name;
}

bool nonnegative(const KTensor& model) {
  return std::ranges::all_of(model.weights, [](double w) { return w >= 0; }) &&
         std::ranges::all_of(model.factors.flat(), [](double a) { return a >= 0; });
}

// The modes of `keep` with their rows; the others' columns go into the weights.
KTensor over(const KTensor& model, const std::vector<std::size_t>& keep, const std::vector<std::vector<Index>>& rows,
             bool plain) {
  KTensor out = placed_rows(model, keep, rows);
  for (std::size_t k = 0; k < model.modes(); ++k) {
    if (std::ranges::find(keep, k) != keep.end()) continue;
    const auto n = static_cast<double>(model.factors.rows(k));
    for (std::size_t j = 0; j < model.rank(); ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < model.factors.rows(k); ++i) {
        const double a = model.factors.at(k, i, j);
        sum += plain ? a : a * a;
      }
      out.weights[j] *= plain ? sum / n : std::sqrt(sum / n);
    }
  }
  return out;
}

}  // namespace

bool SharedLabels::same(const LabelledSpace& a, const LabelledSpace& b) const {
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Mode& mode = modes[k];
    if (mode.of_b != k || mode.rows.size() != a.extents[k] || mode.rows.size() != b.extents[k]) return false;
    if (std::ranges::any_of(mode.rows, [](const auto& row) { return row.first != row.second; })) return false;
  }
  return true;
}

SharedLabels shared_labels(const LabelledSpace& a, const LabelledSpace& b) {
  const auto differ = [&] {
    fail(ErrorKind::usage,
         "{} and {} have different shapes: {} and {}; without labels on both sides they must be the same", a.name,
         b.name, joined(a.extents, " x "), joined(b.extents, " x "));
  };
  if (a.extents.size() != b.extents.size()) differ();
  const std::vector<std::size_t> modes = matched_by_name(a, b);
  SharedLabels shared;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    SharedLabels::Mode mode{.of_b = modes[k]};
    const ModeLabels& labels = mode_of(a, k);
    const RowByLabel of_a = rows_by_label(labels), of_b = rows_by_label(mode_of(b, modes[k]));
    mode.by_label = !of_a.empty() && !of_b.empty();
    if (!mode.by_label && a.extents[k] != b.extents[modes[k]]) differ();
    for (std::uint64_t i = 0; i < a.extents[k]; ++i) {
      const auto row = static_cast<Index>(i);
      if (!mode.by_label) {
        mode.rows.emplace_back(row, row);
      } else if (const auto found = of_b.find(labels.entries[i]); found != of_b.end()) {
        mode.rows.emplace_back(row, found->second);
      }
    }
    shared.modes.push_back(std::move(mode));
  }
  return shared;
}

KTensor placed_rows(const KTensor& model, const std::vector<std::size_t>& modes,
                    const std::vector<std::vector<Index>>& rows) {
  std::vector<std::uint64_t> extents;
  for (const auto& mode : rows) extents.push_back(mode.size());
  KTensor out(Factors(extents, model.rank()));
  out.weights = model.weights;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    for (std::size_t i = 0; i < rows[k].size(); ++i) {
      if (rows[k][i] == absent_row) continue;
      std::copy_n(model.factors.row(modes[k], rows[k][i]), model.rank(), out.factors.row(k, i));
    }
  }
  return out;
}

SharedModels shared_models(const KTensor& a, const LabelledSpace& space_a, const KTensor& b,
                           const LabelledSpace& space_b) {
  SharedModels out;
  out.labels = shared_labels(space_a, space_b);
  std::vector<std::size_t> modes_of_b;
  std::vector<std::vector<Index>> rows_a, rows_b;
  for (std::size_t k = 0; k < out.labels.modes.size(); ++k) {
    const SharedLabels::Mode& mode = out.labels.modes[k];
    const std::string name = space_a.labels.modes() > k ? space_a.labels.mode_name(k) : fmt::format("mode {}", k + 1);
    if (mode.rows.empty()) {
      out.left_out.push_back(k);
      out.remarks.push_back(fmt::format("{}: no label in common; compared by the other modes", name));
      continue;
    }
    const std::uint64_t only_a = space_a.extents[k] - mode.rows.size();
    const std::uint64_t only_b = space_b.extents[mode.of_b] - mode.rows.size();
    if (only_a + only_b > 0) {
      out.remarks.push_back(fmt::format("{}: {} labels in common; only in {}: {}, only in {}: {}", name,
                                        format_count(mode.rows.size()), space_a.name, format_count(only_a),
                                        space_b.name, format_count(only_b)));
    }
    out.modes.push_back(k);
    modes_of_b.push_back(mode.of_b);
    auto& of_a = rows_a.emplace_back();
    auto& of_b = rows_b.emplace_back();
    for (const auto& [i, l] : mode.rows) {
      of_a.push_back(i);
      of_b.push_back(l);
    }
  }
  if (out.modes.empty()) {
    fail(ErrorKind::usage, "{} and {} have no label in common in any mode", space_a.name, space_b.name);
  }
  const bool plain = nonnegative(a) && nonnegative(b);
  out.a = over(a, out.modes, rows_a, plain);
  out.b = over(b, modes_of_b, rows_b, plain);
  return out;
}

KTensor for_labels(const KTensor& model, const LabelledSpace& own, const LabelledSpace& data) {
  const SharedLabels shared = shared_labels(data, own);
  if (shared.same(data, own)) return model;
  std::vector<std::size_t> modes;
  std::vector<std::vector<Index>> rows;
  for (std::size_t k = 0; k < shared.modes.size(); ++k) {
    const SharedLabels::Mode& mode = shared.modes[k];
    if (mode.rows.empty()) {
      fail(ErrorKind::usage, "{} and {} have no label of {} in common", own.name, data.name, data.labels.mode_name(k));
    }
    modes.push_back(mode.of_b);
    auto& of_mode = rows.emplace_back(data.extents[k], absent_row);
    for (const auto& [i, l] : mode.rows) of_mode[i] = l;
  }
  KTensor out = placed_rows(model, modes, rows);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::vector<double> mean(model.rank());
    const auto n = static_cast<double>(model.factors.rows(modes[k]));
    for (std::size_t i = 0; i < model.factors.rows(modes[k]); ++i) {
      for (std::size_t j = 0; j < model.rank(); ++j) mean[j] += model.factors.at(modes[k], i, j) / n;
    }
    for (std::size_t i = 0; i < rows[k].size(); ++i) {
      if (rows[k][i] == absent_row) std::ranges::copy(mean, out.factors.row(k, i));
    }
  }
  return out;
}

}  // namespace polyad
