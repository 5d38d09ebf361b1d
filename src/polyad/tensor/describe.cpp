#include <polyad/base/text.hpp>
#include <polyad/tensor/cell_set.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polyad {

std::string describe(const Tensor& tensor) {
  const IndexSpace& space = tensor.space();
  if (const DenseTensor* dense = tensor.dense()) {
    const std::uint64_t missing = dense->cells() - dense->observed();
    return fmt::format("{}, dense, {} cells{}", space.to_string(), format_count(dense->cells()),
                       missing > 0 ? fmt::format(", {} of them missing", format_count(missing)) : "");
  }
  const SparseTensor& sparse = *tensor.sparse();
  if (sparse.unlisted() == Unlisted::missing) {
    return fmt::format("{}, {} observed cells, all others missing", space.to_string(), format_count(sparse.listed()));
  }
  return fmt::format(
      "{}, {} nonzeros ({:.3g} % of {} cells{})", space.to_string(), format_count(sparse.listed()),
      100.0 * static_cast<double>(sparse.listed()) / space.cells(), format_count(space.cells()),
      sparse.missing_cells() > 0 ? fmt::format(", {} missing", format_count(sparse.missing_cells())) : "");
}

Records values_in(const Tensor& tensor, const Records& cells) {
  Records found(cells.modes());
  for (std::size_t t = 0; t < cells.size(); ++t) {
    if (const DenseTensor* dense = tensor.dense()) {
      const std::uint64_t position = dense->position(cells.cell(t));
      if (!dense->missing(position)) found.append(cells.index(t), dense->value(position));
      continue;
    }
    const SparseTensor& sparse = *tensor.sparse();
    const std::uint32_t record = sparse.find(cells.index(t));
    if (record != CellSet::absent) {
      found.append(cells.index(t), sparse.records().value(record));
    } else if (sparse.unlisted() == Unlisted::zero && !sparse.is_missing(cells.index(t))) {
      found.append(cells.index(t), 0);
    }
  }
  return found;
}

ValueFacts value_facts(const Tensor& tensor) {
  if (tensor.facts() != nullptr) return tensor.facts()->values;
  ValueFacts facts;
  facts.least = std::numeric_limits<double>::infinity();
  facts.greatest = -facts.least;
  double sum = 0;
  double stored = 0;
  const auto note = [&](double x) {
    facts.least = std::min(facts.least, x);
    facts.greatest = std::max(facts.greatest, x);
    facts.zeros += x == 0;
    facts.negatives += x < 0;
    facts.whole = facts.whole && x == std::floor(x);
    facts.binary = facts.binary && (x == 0 || x == 1);
  };
  const auto note_stored = [&](double x) {
    if (std::isnan(x)) return;
    note(x);
    sum += x;
    stored += 1;
  };
  double implicit = 0;
  if (const DenseTensor* dense = tensor.dense()) {
    for (const double x : dense->values()) note_stored(x);
  } else {
    const SparseTensor& sparse = *tensor.sparse();
    for (std::size_t i = 0; i < sparse.listed(); ++i) note_stored(sparse.records().value(i));
    implicit = sparse.zeros();
  }
  if (implicit > 0) {
    note(0.0);
    facts.zeros += implicit - 1;
  }
  facts.observed = stored + implicit;
  facts.mean = facts.observed > 0 ? sum / facts.observed : 0;
  return facts;
}

}  // namespace polyad
