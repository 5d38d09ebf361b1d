#include <polyad/base/error.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/tensor/cell_set.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polyad {
namespace {

constexpr std::size_t most_examples = 5;

// Counts and a few examples of one kind.
struct Tally {
  std::uint64_t count = 0;
  std::vector<std::string> examples;

  template <class Text>
  void add(Text text) {
    if (++count <= most_examples) examples.push_back(text());
  }
  void report(std::vector<Finding>& out, std::string kind, std::string text, bool fixable) const {
    if (count > 0) out.push_back({std::move(kind), count, std::move(text), examples, fixable});
  }
};

const char* plural(std::uint64_t count) {
  return count == 1 ? "" : "s";
}

std::string at_cell(std::span<const Index> index, double value) {
  return fmt::format("{} at {}", value, cell_text(index));
}

void inspect_entries(const IndexSpace& space, const Records& entries, Unlisted unlisted, std::vector<Finding>& out) {
  Tally duplicates, zeros, bad, negative;
  CellSet seen(space.modes(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double value = entries.value(i);
    const auto cell = [&] { return at_cell(entries.cell(i), value); };
    if (!std::isfinite(value)) bad.add(cell);
    if (value == 0) zeros.add(cell);
    if (value < 0) negative.add(cell);
    const std::uint32_t earlier = seen.insert(entries, static_cast<std::uint32_t>(i));
    if (earlier == CellSet::absent) continue;
    duplicates.add([&] {
      return fmt::format("{} has {} and again {}", cell_text(entries.cell(i)), entries.value(earlier), value);
    });
  }
  duplicates.report(out, "duplicates",
                    fmt::format("{} entr{} for a cell that is listed already; values of a cell are summed",
                                duplicates.count, duplicates.count == 1 ? "y" : "ies"),
                    true);
  const bool drop_zeros = unlisted == Unlisted::zero;
  zeros.report(out, "explicit-zeros",
               fmt::format("{} listed zero{}; {}", zeros.count, plural(zeros.count),
                           drop_zeros ? "unlisted cells are zeros anyway" : "they are observed zeros and kept"),
               drop_zeros);
  bad.report(out, "not-finite",
             fmt::format("{} value{} that {} not finite; leave missing cells out and say {}", bad.count,
                         plural(bad.count), bad.count == 1 ? "is" : "are", option_name("unlisted", "missing")),
             true);
  negative.report(
      out, "negative",
      fmt::format("{} negative value{}; losses for counts do not allow them", negative.count, plural(negative.count)),
      false);
}

void inspect_cells(const IndexSpace& space, std::span<const double> values, std::vector<Finding>& out) {
  Tally missing, infinite, negative;
  std::vector<Index> index(space.modes(), 0);
  for (const double value : values) {
    const auto cell = [&] { return at_cell(index, value); };
    if (std::isnan(value)) missing.add([&] { return cell_text(index); });
    if (std::isinf(value)) infinite.add(cell);
    if (value < 0) negative.add(cell);
    for (std::size_t k = index.size(); k-- > 0;) {
      if (++index[k] < space.extent(k)) break;
      index[k] = 0;
    }
  }
  missing.report(out, "missing", fmt::format("{} missing cell{} (NaN)", missing.count, plural(missing.count)), false);
  infinite.report(out, "not-finite", fmt::format("{} infinite value{}", infinite.count, plural(infinite.count)), true);
  negative.report(
      out, "negative",
      fmt::format("{} negative value{}; losses for counts do not allow them", negative.count, plural(negative.count)),
      false);
}

// Which indices of a mode have an observed cell that is not zero (sparse) or not missing (dense).
struct UsedIndices {
  explicit UsedIndices(std::uint64_t extent) : used(extent) {}
  void add(Index i) {
    count += used[i] ? 0 : 1;
    used[i] = true;
  }
  // Looks no further than the last example: a mode may have far more indices than the tensor entries.
  Tally empty(const Labels& labels, std::size_t mode) const {
    Tally tally;
    const std::uint64_t all = used.size() - count;
    for (std::size_t i = 0; tally.count < std::min<std::uint64_t>(all, most_examples); ++i) {
      if (!used[i]) tally.add([&] { return labels.entry(mode, i); });
    }
    tally.count = all;
    return tally;
  }

  std::vector<bool> used;
  std::uint64_t count = 0;
};

std::vector<UsedIndices> used_indices(const Tensor& tensor) {
  const IndexSpace& space = tensor.space();
  std::vector<UsedIndices> used;
  for (std::size_t k = 0; k < space.modes(); ++k) used.emplace_back(space.extent(k));
  if (const SparseTensor* sparse = tensor.sparse()) {
    for (std::size_t i = 0; i < sparse->listed(); ++i) {
      for (std::size_t k = 0; k < space.modes(); ++k) used[k].add(sparse->records().index(i)[k]);
    }
    return used;
  }
  std::vector<Index> index(space.modes());
  for (std::uint64_t cell = 0; cell < tensor.dense()->cells(); ++cell) {
    if (tensor.dense()->missing(cell)) continue;
    tensor.dense()->index_of(cell, index);
    for (std::size_t k = 0; k < space.modes(); ++k) used[k].add(index[k]);
  }
  return used;
}

void inspect_slices(const Tensor& tensor, std::vector<Finding>& out) {
  constexpr double most_indices = 1e9;
  if (static_cast<double>(tensor.space().sum_of_extents()) > most_indices) return;
  std::vector<std::size_t> first_empty;
  std::size_t first_used = 0;
  const auto used = used_indices(tensor);
  for (std::size_t k = 0; k < used.size(); ++k) {
    const Tally empty = used[k].empty(tensor.labels(), k);
    (used[k].used[0] ? first_used : first_empty.emplace_back()) = k;
    empty.report(out, "empty-slices",
                 fmt::format("{}: {} of {} indices have no {}", tensor.labels().mode_name(k), empty.count,
                             used[k].used.size(), tensor.is_sparse() ? "entry" : "observed cell"),
                 false);
  }
  if (first_empty.empty() || !tensor.is_sparse() || tensor.sparse()->listed() == 0) return;
  Finding base{"base", first_empty.size(), "", {}, false};
  base.text =
      first_empty.size() == used.size()
          ? "the first index of every mode is unused: do indices count from 1 where 0 was assumed?"
          : "the first index is unused in some modes and used in others: do all modes count from the same base?";
  for (const std::size_t k : first_empty) base.examples.push_back(tensor.labels().mode_name(k));
  out.push_back(std::move(base));
}

}  // namespace

Inspection inspect_file(const std::string& path, const ReadOptions& options) {
  std::vector<Finding> findings;
  Remarks remarks;
  ReadOptions with = options;
  with.drop_bad_values = true;
  with.inspect = [&](const IndexSpace& space, const Records& entries, Unlisted unlisted) {
    inspect_entries(space, entries, unlisted, findings);
  };
  with.inspect_dense = [&](const IndexSpace& space, std::span<const double> values) {
    inspect_cells(space, values, findings);
  };
  Tensor tensor = read_tensor(path, with, &remarks);
  inspect_slices(tensor, findings);
  return {std::move(findings), std::move(tensor), std::move(remarks)};
}

Json to_json(const Inspection& inspection, const OptionStyle& style) {
  Json out{{"shape", inspection.tensor.space().extents()}, {"findings", Json::array()}};
  for (const Finding& finding : inspection.findings) {
    out["findings"].push_back({{"kind", finding.kind},
                               {"count", finding.count},
                               {"text", shown_options(finding.text, style)},
                               {"examples", finding.examples},
                               {"fixable", finding.fixable}});
  }
  return out;
}

std::string json_text(const Inspection& inspection, const OptionStyle& style) {
  return to_json(inspection, style ? style : plain_options).dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace polyad
