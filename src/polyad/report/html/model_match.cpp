#include <polyad/model.hpp>
#include <polyad/model/compare.hpp>
#include <polyad/report/html/model_match.hpp>

#include <algorithm>

namespace polyad {

namespace {

double column_cosine(const KTensor& a, std::size_t p, const KTensor& b, std::size_t q, std::size_t mode) {
  double product = 0;
  for (std::size_t i = 0; i < a.factors.rows(mode); ++i) product += a.factors.at(mode, i, p) * b.factors.at(mode, i, q);
  return std::clamp(product, -1.0, 1.0);
}

}  // namespace

ModelMatch match_models(const KTensor& a, const KTensor& b) {
  Score found = score(a, b);
  KTensor unit_a = a, unit_b = b;
  normalize(unit_a);
  normalize(unit_b);
  ModelMatch result{found.value, std::move(found.match), std::move(found.cosines), {}};
  for (std::size_t p = 0; p < a.rank(); ++p) {
    auto& cosines = result.mode_cosines.emplace_back();
    if (result.match[p] == Score::npos) continue;
    for (std::size_t k = 0; k < a.modes(); ++k) cosines.push_back(column_cosine(unit_a, p, unit_b, result.match[p], k));
  }
  return result;
}

}  // namespace polyad
