#include <polyad/fit/fingerprint.hpp>

#include <polyad/fit/check_data.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <bit>

namespace polyad {

namespace {

/// The finaliser of SplitMix64: every bit of the input changes about half of the output's.
std::uint64_t mixed(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15u;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
  return word ^ (word >> 31);
}

std::uint64_t cell_word(std::span<const Index> index, double value, double weight) {
  std::uint64_t word = 0;
  for (const Index i : index) word = mixed(word ^ i);
  word = mixed(word ^ std::bit_cast<std::uint64_t>(value + 0.0));  // -0 counts as 0
  return weight == 1 ? word : mixed(word ^ std::bit_cast<std::uint64_t>(weight));
}

}  // namespace

std::uint64_t fingerprint(const Tensor& tensor) {
  std::uint64_t shape = 0, cells = 0;
  for (const std::uint64_t extent : tensor.space().extents()) shape = mixed(shape ^ extent);
  if (const SparseTensor* sparse = tensor.sparse()) {
    shape = mixed(shape ^ (sparse->unlisted() == Unlisted::zero ? 1 : 2));
    if (sparse->zero_weight() != 1) shape = mixed(shape ^ std::bit_cast<std::uint64_t>(sparse->zero_weight()));
    const Records& records = sparse->records();
    // A sum does not depend on the order of its terms.
    for (std::size_t n = 0; n < records.size(); ++n) {
      cells += cell_word(records.cell(n), records.value(n), records.weight(n));
    }
    for (std::size_t n = 0; n < sparse->missing().size(); ++n)
      cells += mixed(cell_word(sparse->missing().cell(n), 0, 0));
  } else {
    const DenseTensor& dense = *tensor.dense();
    std::array<Index, max_modes> index{};
    const std::span<Index> at(index.data(), tensor.space().modes());
    for (std::uint64_t cell = 0; cell < dense.cells(); ++cell) {
      if (dense.missing(cell)) continue;
      dense.index_of(cell, at);
      cells += cell_word(at, dense.value(cell), dense.weight(cell));
    }
  }
  return mixed(shape ^ cells);
}

Json data_facts(const Tensor& tensor, const std::string& file) {
  const ValueFacts values = value_facts(tensor);
  Json out;
  out["file"] = file;
  out["shape"] = tensor.space().extents();
  out["observed"] = values.observed;
  if (tensor.is_sparse()) out["listed"] = tensor.sparse()->listed();
  out["sum"] = values.mean * values.observed;
  out["least"] = values.least;
  out["greatest"] = values.greatest;
  out["fingerprint"] = fmt::format("{:016x}", fingerprint(tensor));
  return out;
}

}  // namespace polyad
