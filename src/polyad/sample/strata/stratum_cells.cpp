#include <polyad/base/error.hpp>
#include <polyad/sample/draws/box.hpp>
#include <polyad/sample/draws/zero_draws.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/sample/strata/strata.hpp>

namespace polyad {

namespace {

/// The strata that hold values, as opposed to boxes of zeros, and which of them an entry belongs to.
class ValueStrata {
 public:
  ValueStrata(std::span<const StratumSpec> specs, StratumSpec::Of of) : specs_(specs) {
    for (std::size_t l = 0; l < specs.size(); ++l) {
      if (specs[l].of == of) members_.push_back(l);
    }
  }

  std::size_t find(std::span<const Index> index, double x) const {
    std::size_t found = specs_.size();
    for (const std::size_t l : members_) {
      if (!specs_[l].values.contains(x) || !specs_[l].box.contains(index.data())) continue;
      if (found != specs_.size()) {
        fail(ErrorKind::usage, "`stratum`: the entry at {} with value {} lies in two strata, '{}' and '{}'",
             cell_text(index), x, specs_[found].text, specs_[l].text);
      }
      found = l;
    }
    if (found == specs_.size()) {
      fail(ErrorKind::usage, "`stratum`: the entry at {} with value {} lies in no stratum; add one that holds it",
           cell_text(index), x);
    }
    return found;
  }

 private:
  std::span<const StratumSpec> specs_;
  std::vector<std::size_t> members_;
};

void check_zeros_covered(const SparseTensor& tensor, std::span<const StratumSpec> specs) {
  std::vector<Box> boxes;
  std::vector<std::string> texts;
  for (const StratumSpec& spec : specs) {
    if (spec.of != StratumSpec::Of::zeros) continue;
    boxes.push_back(spec.box);
    texts.push_back(spec.text);
  }
  if (const auto overlap = find_overlap(boxes)) {
    fail(ErrorKind::usage, "`stratum`: '{}' and '{}' overlap; a cell may lie in one stratum only",
         texts[overlap->first], texts[overlap->second]);
  }
  if (tensor.zeros() == 0) return;
  if (const auto gap = find_gap(tensor.space(), boxes)) {
    fail(ErrorKind::usage, "`stratum`: {} cells, such as {}, lie in no stratum of zeros; add boxes that hold them",
         gap->cells, cell_text(gap->example));
  }
}

void check_kinds(const Tensor& tensor, std::span<const StratumSpec> specs) {
  for (const StratumSpec& spec : specs) {
    const bool for_dense = spec.of == StratumSpec::Of::cells;
    if (for_dense == !tensor.is_sparse()) continue;
    fail(ErrorKind::usage, "`stratum {}`: the tensor is {}; its strata begin with {}", spec.text,
         tensor.is_sparse() ? "sparse" : "dense", tensor.is_sparse() ? "nonzeros or zeros" : "cells");
  }
}

}  // namespace

std::vector<StratumCells> cells_of_strata(const Tensor& tensor, std::span<const StratumSpec> specs) {
  check_kinds(tensor, specs);
  std::vector<StratumCells> found(specs.size());
  if (const DenseTensor* dense = tensor.dense()) {
    const ValueStrata strata(specs, StratumSpec::Of::cells);
    std::uint64_t cell = 0;
    for_each_cell(Box::whole(dense->space()), [&](const Index* index) {
      if (!dense->missing(cell)) {
        found[strata.find({index, dense->space().modes()}, dense->value(cell))].size += 1;
      }
      ++cell;
    });
    return found;
  }

  const SparseTensor& sparse = *tensor.sparse();
  const ValueStrata strata(specs, StratumSpec::Of::nonzeros);
  for (std::size_t r = 0; r < sparse.listed(); ++r) {
    StratumCells& stratum = found[strata.find(sparse.records().cell(r), sparse.records().value(r))];
    stratum.records.push_back(static_cast<std::uint32_t>(r));
    stratum.size += 1;
  }
  check_zeros_covered(sparse, specs);
  for (std::size_t l = 0; l < specs.size(); ++l) {
    if (specs[l].of == StratumSpec::Of::zeros && zeros_are_data(sparse)) {
      found[l].size = zeros_within(sparse, specs[l].box);
    }
  }
  return found;
}

}  // namespace polyad
