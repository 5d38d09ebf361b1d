#include <polyad/apply/match_labels.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace polyad {

namespace {

constexpr std::size_t labels_shown = 8;

using LabelMap = std::unordered_map<std::string_view, Index>;

LabelMap map_of(const ModeLabels& mode, const std::string& name, std::string_view whose) {
  LabelMap map;
  map.reserve(mode.entries.size());
  for (std::size_t i = 0; i < mode.entries.size(); ++i) {
    if (!map.emplace(mode.entries[i], static_cast<Index>(i)).second) {
      fail(ErrorKind::data, "{}: {} have the label '{}' twice, so that it cannot be matched", name, whose,
           mode.entries[i]);
    }
  }
  return map;
}

std::string names_of(const Labels& labels) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < labels.modes(); ++k) names.push_back(labels.mode_name(k));
  return joined(names, ", ");
}

bool all_named(const Labels& labels) {
  for (std::size_t k = 0; k < labels.modes(); ++k) {
    if (labels.mode(k).name.empty()) return false;
  }
  return true;
}

// The data's mode for each of the model's.
std::vector<std::size_t> matched_modes(const ModelSpace& model, const Tensor& data) {
  const std::size_t d = model.extents.size();
  if (data.space().modes() != d) {
    fail(ErrorKind::data, "the data have {} modes ({}), the model has {} ({})", data.space().modes(),
         names_of(data.labels()), d, names_of(model.labels));
  }
  std::vector<std::size_t> modes(d);
  std::iota(modes.begin(), modes.end(), std::size_t{0});
  if (model.labels.modes() != d || !all_named(model.labels) || !all_named(data.labels())) return modes;
  std::vector<bool> taken(d);
  for (std::size_t k = 0; k < d; ++k) {
    std::size_t found = d;
    for (std::size_t l = 0; l < d; ++l) {
      if (!taken[l] && data.labels().mode(l).name == model.labels.mode(k).name) found = std::min(found, l);
    }
    if (found == d) {
      fail(ErrorKind::data,
           "the data's modes are {}, the model's are {}: name them alike (`mode-names`), so that they can be matched",
           names_of(data.labels()), names_of(model.labels));
    }
    taken[found] = true;
    modes[k] = found;
  }
  return modes;
}

// What the data have in a mode, seen from the model.
struct Overlap {
  bool labelled = false;             ///< on both sides
  std::vector<Index> model_index;    ///< by index of the data, where labelled
  std::vector<std::string> unknown;  ///< the data's labels that the model does not have
};

Overlap overlap_of(const ModelSpace& model, std::size_t k, const ModeLabels& data, const std::string& name) {
  Overlap overlap;
  const ModeLabels* const own = k < model.labels.modes() ? &model.labels.mode(k) : nullptr;
  overlap.labelled = own != nullptr && !own->entries.empty() && !data.entries.empty();
  if (!overlap.labelled) return overlap;
  const LabelMap known = map_of(*own, name, "the model's indices");
  map_of(data, name, "the data's indices");
  for (const std::string& label : data.entries) {
    const auto found = known.find(label);
    overlap.model_index.push_back(found == known.end() ? no_row : found->second);
    if (found == known.end()) overlap.unknown.push_back(label);
  }
  return overlap;
}

std::size_t find_free_mode(const ModelSpace& model, const std::vector<Overlap>& overlaps, const JoinOptions& options,
                           bool grow) {
  if (!options.mode.empty()) return model.labels.find_mode(options.mode);
  std::vector<std::size_t> with_new;
  bool any_labels = false;
  for (std::size_t k = 0; k < overlaps.size(); ++k) {
    any_labels = any_labels || overlaps[k].labelled;
    if (!overlaps[k].unknown.empty()) with_new.push_back(k);
  }
  if (with_new.size() == 1) return with_new[0];
  if (!any_labels) {
    fail(ErrorKind::usage,
         "model and data have no labels in common, so that new slices cannot be found by them; give `mode`");
  }
  if (with_new.empty()) {
    fail(ErrorKind::usage, "the model knows all labels of the data; give `mode`: the mode whose rows are wanted ({})",
         names_of(model.labels));
  }
  std::vector<std::string> modes;
  for (const std::size_t k : with_new) {
    modes.push_back(fmt::format("{} ({})", model.labels.mode_name(k), some_labels(overlaps[k].unknown)));
  }
  fail(ErrorKind::data,
       "several modes have labels that the model does not know: {}; say which has the new slices by `mode`{}",
       joined(modes, ", "), grow ? "" : ", and leave the others' out by `unknown ignore`");
}

MatchedMode by_position(const ModelSpace& model, std::size_t k, const ModeLabels& data, std::uint64_t extent,
                        bool may_be_new, const std::string& name) {
  MatchedMode out;
  const std::uint64_t known = model.extents[k];
  if (extent != known && !may_be_new) {
    fail(ErrorKind::data,
         "{}: the data have {} indices, the model has {}; without labels on both sides they must be the same", name,
         format_count(extent), format_count(known));
  }
  out.extent = extent;
  out.labels = k < model.labels.modes() ? model.labels.mode(k) : ModeLabels{};
  if (out.labels.entries.size() != extent) out.labels.entries = data.entries;
  for (std::uint64_t i = 0; i < extent; ++i) {
    out.joined_index.push_back(static_cast<Index>(i));
    out.model_row.push_back(i < known ? static_cast<Index>(i) : no_row);
  }
  return out;
}

// New slices: the data's own indices, in their order.
MatchedMode data_as_it_is(const ModelSpace& model, std::size_t k, const ModeLabels& data, std::uint64_t extent,
                          const Overlap& overlap) {
  MatchedMode out;
  out.extent = extent;
  out.labels = data;
  if (k < model.labels.modes() && out.labels.name.empty()) out.labels.name = model.labels.mode(k).name;
  for (std::uint64_t i = 0; i < extent; ++i) out.joined_index.push_back(static_cast<Index>(i));
  out.model_row = overlap.labelled ? overlap.model_index : std::vector<Index>(extent, no_row);
  return out;
}

MatchedMode by_label(const ModelSpace& model, std::size_t k, const Overlap& overlap, bool grow, Index extent) {
  MatchedMode out;
  out.labels = model.labels.mode(k);
  out.joined_index = overlap.model_index;
  out.model_row.resize(extent);
  std::iota(out.model_row.begin(), out.model_row.end(), Index{0});
  if (grow) {
    std::size_t next = 0;
    for (Index& at : out.joined_index) {
      if (at != no_row) continue;
      at = static_cast<Index>(out.model_row.size());
      out.model_row.push_back(no_row);
      out.labels.entries.push_back(overlap.unknown[next++]);
    }
  }
  out.extent = out.model_row.size();
  return out;
}

}  // namespace

std::string some_labels(const std::vector<std::string>& labels) {
  std::string text;
  for (std::size_t i = 0; i < std::min(labels.size(), labels_shown); ++i) {
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", labels[i]);
  }
  if (labels.size() > labels_shown) text += fmt::format(" and {} more", format_count(labels.size() - labels_shown));
  return text;
}

std::vector<std::size_t> modes_with_new_labels(const ModelSpace& model, const Tensor& data) {
  const std::vector<std::size_t> data_modes = matched_modes(model, data);
  std::vector<std::size_t> with_new;
  for (std::size_t k = 0; k < data_modes.size(); ++k) {
    const std::string name = k < model.labels.modes() ? model.labels.mode_name(k) : fmt::format("mode {}", k + 1);
    if (!overlap_of(model, k, data.labels().mode(data_modes[k]), name).unknown.empty()) with_new.push_back(k);
  }
  return with_new;
}

LabelMatch match_labels(const ModelSpace& model, const Tensor& data, NewLabels where, const JoinOptions& options) {
  const std::vector<std::size_t> data_modes = matched_modes(model, data);
  const std::size_t d = data_modes.size();
  Labels named = model.labels;
  if (named.modes() != d) named = Labels(d);
  std::vector<Overlap> overlaps;
  for (std::size_t k = 0; k < d; ++k) {
    overlaps.push_back(overlap_of(model, k, data.labels().mode(data_modes[k]), named.mode_name(k)));
  }
  LabelMatch match;
  const bool grow = where == NewLabels::anywhere || where == NewLabels::slices_and_others;
  if (where == NewLabels::in_one_mode || where == NewLabels::slices_and_others) {
    match.free_mode = find_free_mode({named, model.extents}, overlaps, options, grow);
  }
  for (std::size_t k = 0; k < d; ++k) {
    const std::string name = named.mode_name(k);
    const ModeLabels& labels = data.labels().mode(data_modes[k]);
    const std::uint64_t extent = data.space().extent(data_modes[k]);
    const Overlap& overlap = overlaps[k];
    MatchedMode mode;
    if (k == match.free_mode) {
      mode = data_as_it_is(model, k, labels, extent, overlap);
    } else if (!overlap.labelled) {
      mode = by_position(model, k, labels, extent, grow && extent > model.extents[k], name);
    } else {
      if (overlap.unknown.size() == labels.entries.size()) {
        fail(ErrorKind::data, "{}: the model knows none of the data's labels ({})", name, some_labels(overlap.unknown));
      }
      if (!overlap.unknown.empty() && !grow && options.unknown == UnknownLabels::error) {
        fail(ErrorKind::data,
             "{}: the model does not know {}; correct the data, or leave their cells out with `unknown ignore`", name,
             some_labels(overlap.unknown));
      }
      mode = by_label(model, k, overlap, grow, static_cast<Index>(model.extents[k]));
      if (!overlap.unknown.empty() && where == NewLabels::slices_and_others) {
        match.remarks.push_back(fmt::format("{}: {} new to the model, rows are added: {}", name,
                                            format_count(overlap.unknown.size()), some_labels(overlap.unknown)));
      }
      if (!overlap.unknown.empty() && !grow) {
        match.remarks.push_back(
            fmt::format("{}: {} left out, which the model does not know", name, some_labels(overlap.unknown)));
      }
      const std::size_t absent = mode.extent - labels.entries.size() + (grow ? 0 : overlap.unknown.size());
      if (absent > 0 && !data.is_sparse()) {
        match.remarks.push_back(fmt::format("{}: {} of the model's labels are not in the data; their cells are missing",
                                            name, format_count(absent)));
      }
    }
    mode.data_mode = data_modes[k];
    match.modes.push_back(std::move(mode));
  }
  if (match.free_mode) {
    const std::vector<Index>& rows = match.modes[*match.free_mode].model_row;
    const auto fresh = static_cast<std::size_t>(std::ranges::count(rows, no_row));
    match.remarks.push_back(fmt::format("rows of {}: {} in the data, {} of them new to the model",
                                        named.mode_name(*match.free_mode), format_count(rows.size()),
                                        format_count(fresh)));
  }
  return match;
}

}  // namespace polyad
