#include <polyad/tensor/facts.hpp>
#include <polyad/tensor/tensor.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polyad {

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
