#include <polyad/apply/slice_memory.hpp>

#include <polyad/apply/join.hpp>
#include <polyad/apply/model_rows.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/rng.hpp>
#include <polyad/tensor/tensor.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace polyad {

namespace {

Records stacked(const Records& a, const Records& b, std::size_t mode, Index behind) {
  Records out(a.modes(), a.weighted() || b.weighted());
  std::array<Index, max_modes> index{};
  for (std::size_t t = 0; t < a.size(); ++t) out.append(a.index(t), a.value(t), a.weight(t));
  for (std::size_t t = 0; t < b.size(); ++t) {
    std::copy_n(b.index(t), b.modes(), index.data());
    index[mode] += behind;
    out.append(index.data(), b.value(t), b.weight(t));
  }
  return out;
}

AlignedVector<double> stacked_values(const DenseTensor& a, const DenseTensor& b, std::size_t mode, bool weights) {
  std::uint64_t inner = 1, outer = 1;
  for (std::size_t k = 0; k < a.space().modes(); ++k) (k < mode ? outer : inner) *= k == mode ? 1 : a.space().extent(k);
  AlignedVector<double> out;
  for (std::uint64_t block = 0; block < outer; ++block) {
    for (const DenseTensor* tensor : {&a, &b}) {
      const std::uint64_t length = tensor->space().extent(mode) * inner;
      for (std::uint64_t cell = block * length; cell < (block + 1) * length; ++cell) {
        const bool missing = tensor->missing(cell);
        out.push_back(weights ? missing ? 1.0 : tensor->weight(cell) : missing ? std::nan("") : tensor->value(cell));
      }
    }
  }
  return out;
}

// The slices of b after those of a. Both have the same extents in the other modes.
Tensor stacked(const Tensor& a, const Tensor& b, std::size_t mode) {
  Labels labels = a.labels();
  auto& entries = labels.mode(mode).entries;
  const auto& more = b.labels().mode(mode).entries;
  entries.insert(entries.end(), more.begin(), more.end());
  std::vector<std::uint64_t> extents(a.space().extents().begin(), a.space().extents().end());
  extents[mode] += b.space().extent(mode);
  if (a.is_sparse() != b.is_sparse()) {
    fail(ErrorKind::data, "the memory is {} and the new data are {}: convert one of them",
         a.is_sparse() ? "sparse" : "dense", b.is_sparse() ? "sparse" : "dense");
  }
  if (const DenseTensor* dense = a.dense()) {
    DenseTensor out(IndexSpace(extents), stacked_values(*dense, *b.dense(), mode, false));
    if (dense->weighted() || b.dense()->weighted()) out.set_weights(stacked_values(*dense, *b.dense(), mode, true));
    return {std::move(out), std::move(labels)};
  }
  const SparseTensor &first = *a.sparse(), &second = *b.sparse();
  if (first.unlisted() != second.unlisted() || first.zero_weight() != second.zero_weight()) {
    fail(ErrorKind::data, "zeros mean something else in the memory than in the new data (`unlisted`, `zero-weight`)");
  }
  const auto behind = static_cast<Index>(a.space().extent(mode));
  SparseTensor out(IndexSpace(extents), stacked(first.records(), second.records(), mode, behind), first.unlisted());
  const Records missing = stacked(first.missing(), second.missing(), mode, behind);
  if (missing.size() > 0) out.set_missing(missing);
  if (first.zero_weight() != 1) out.set_zero_weight(first.zero_weight());
  return {std::move(out), std::move(labels)};
}

}  // namespace

SliceMemory join_memory(const Tensor& kept, const Tensor& data, const ModelFile& file, std::size_t mode,
                        std::vector<double>& counts) {
  std::vector<std::uint64_t> extents(data.space().extents().begin(), data.space().extents().end());
  extents[mode] = file.model.factors.rows(mode);
  Labels labels = data.labels();
  labels.mode(mode) = file.labels.mode(mode);
  JoinOptions options;
  options.mode = std::to_string(mode + 1);
  const Joined joined = join({labels, extents}, kept, NewLabels::in_one_mode, options);
  std::vector<Index> used, rows;
  for (std::size_t i = 0; i < joined.model_row[mode].size(); ++i) {
    const Index row = joined.model_row[mode][i];
    if (row == no_row || counts[row] == 0) continue;
    used.push_back(static_cast<Index>(i));
    rows.push_back(row);
  }
  if (used.empty()) fail(ErrorKind::data, "the memory has none of the model's slices that still count");
  SliceMemory out{part_of(joined.tensor, mode, used), std::move(rows), 0};
  const auto first = counts.begin() + *std::ranges::min_element(out.rows);
  out.weight = std::accumulate(first, counts.end(), 0.0) / static_cast<double>(out.rows.size());
  std::fill(first, counts.end(), 0.0);
  return out;
}

std::vector<std::size_t> slices_to_keep(std::span<const std::string> labels, std::span<const double> counts,
                                        std::size_t most, std::uint64_t seed) {
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (labels.size() <= most) return order;
  std::vector<double> key;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a: the same on every machine
    for (const char c : labels[i]) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    const auto words = RandomStream(seed, Purpose::held_out, hash).words(0, 0, 0, 0);
    key.push_back(counts[i] > 0 ? std::log(open_unit(words[0], words[1])) / counts[i]
                                : -std::numeric_limits<double>::infinity());
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return key[a] > key[b]; });
  order.resize(most);
  std::ranges::sort(order);
  return order;
}

Tensor next_memory(const SliceMemory* memory, const Tensor& data, std::size_t mode, const Labels& labels,
                   std::span<const double> counts, std::size_t most, std::uint64_t seed) {
  if (data.labels().mode(mode).entries.empty() || labels.mode(mode).entries.empty()) {
    fail(ErrorKind::data, "{} has no labels, so that a memory could not be matched later", labels.mode_name(mode));
  }
  std::unordered_map<std::string, double> count_of;
  for (std::size_t i = 0; i < counts.size(); ++i) count_of[labels.mode(mode).entries[i]] = counts[i];
  const Tensor all = memory == nullptr ? data : stacked(memory->tensor, data, mode);
  const std::vector<std::string>& names = all.labels().mode(mode).entries;
  std::vector<double> count;
  for (const std::string& name : names) count.push_back(count_of[name]);
  const std::vector<std::size_t> keep = slices_to_keep(names, count, most, seed);
  return part_of(all, mode, {keep.begin(), keep.end()});
}

}  // namespace polyad
