#include <polyad/problems/binary_structure.hpp>

#include <algorithm>
#include <array>

namespace polyad {

BinaryStructure::BinaryStructure(const KTensor& truth)
    : truth_(truth), sparse_(truth.rank() - 1), words_((sparse_ + 63) / 64) {
  support_.assign(sparse_, std::vector<std::vector<Index>>(truth.modes()));
  for (std::size_t k = 0; k < truth.modes(); ++k) {
    reached_by_.emplace_back(truth.factors.rows(k) * words_, 0);
    for (std::size_t i = 0; i < truth.factors.rows(k); ++i) {
      for (std::size_t j = 0; j < sparse_; ++j) {
        if (truth.factors.at(k, i, j) == 0) continue;
        support_[j][k].push_back(static_cast<Index>(i));
        reached_by_[k][i * words_ + j / 64] |= std::uint64_t{1} << (j % 64);
      }
    }
  }
}

bool BinaryStructure::covers(const Index* index) const {
  for (std::size_t word = 0; word < words_; ++word) {
    std::uint64_t common = ~std::uint64_t{0};
    for (std::size_t k = 0; k < truth_.modes(); ++k) common &= reached_by_[k][index[k] * words_ + word];
    if (common != 0) return true;
  }
  return false;
}

double BinaryStructure::cells() const {
  double total = 0;
  for (const auto& modes : support_) {
    double box = 1;
    for (const auto& rows : modes) box *= static_cast<double>(rows.size());
    total += box;
  }
  return total;
}

bool BinaryStructure::supports(std::size_t j, const Index* index) const {
  for (std::size_t k = 0; k < truth_.modes(); ++k) {
    if (((reached_by_[k][index[k] * words_ + j / 64] >> (j % 64)) & 1) == 0) return false;
  }
  return true;
}

double BinaryStructure::odds(const Index* index) const {
  double sum = 0;
  for (std::size_t j = 0; j < truth_.rank(); ++j) {
    double product = truth_.weights[j];
    for (std::size_t k = 0; k < truth_.modes(); ++k) product *= truth_.factors.at(k, index[k], j);
    sum += product;
  }
  return sum;
}

void BinaryStructure::for_each_cell(std::size_t mode, Index i,
                                    const std::function<void(const Index*, double)>& visit) const {
  const std::size_t modes = truth_.modes();
  for (std::size_t j = 0; j < sparse_; ++j) {
    if (truth_.factors.at(mode, i, j) == 0) continue;
    // An odometer over the support of component j, with `mode` held at i.
    std::array<std::size_t, max_modes> at{};
    std::array<Index, max_modes> index{};
    for (std::size_t k = 0; k < modes; ++k) index[k] = k == mode ? i : support_[j][k][0];
    for (bool more = true; more;) {
      bool seen = false;
      for (std::size_t earlier = 0; earlier < j && !seen; ++earlier) seen = supports(earlier, index.data());
      if (!seen) visit(index.data(), odds(index.data()));
      more = false;
      for (std::size_t k = modes; k-- > 0 && !more;) {
        if (k == mode) continue;
        more = ++at[k] < support_[j][k].size();
        if (!more) at[k] = 0;
        index[k] = support_[j][k][at[k]];
      }
    }
  }
}

}  // namespace polyad
