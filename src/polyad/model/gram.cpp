#include <polyad/base/exact_numbers.hpp>
#include <polyad/model/compare.hpp>

#include <algorithm>

namespace polyad {

namespace {

constexpr std::size_t block_rows = 128;

/// block += rows [begin, end) of A' B, where block has b's stride for its row length (padding lanes stay 0).
void add_rows(const Factors& a, const Factors& b, std::size_t mode, std::size_t begin, std::size_t end,
              AlignedVector<double>& block) {
  const std::size_t stride = b.stride();
  for (std::size_t i = begin; i < end; ++i) {
    const double* __restrict u = a.row(mode, i);
    const double* __restrict v = b.row(mode, i);
    for (std::size_t p = 0; p < a.rank(); ++p) {
      double* __restrict out = block.data() + p * stride;
      const double u_p = u[p];
      for (std::size_t q = 0; q < stride; ++q) out[q] += u_p * v[q];
    }
  }
}

}  // namespace

std::vector<double> cross_gram(const Factors& a, const Factors& b, std::size_t mode) {
  const std::size_t columns = b.rank();
  std::vector<CompensatedSum> sums(a.rank() * columns);
  AlignedVector<double> block(a.rank() * b.stride());
  for (std::size_t begin = 0; begin < a.rows(mode); begin += block_rows) {
    std::fill(block.begin(), block.end(), 0.0);
    add_rows(a, b, mode, begin, std::min(begin + block_rows, a.rows(mode)), block);
    for (std::size_t p = 0; p < a.rank(); ++p) {
      for (std::size_t q = 0; q < columns; ++q) sums[p * columns + q].add(block[p * b.stride() + q]);
    }
  }
  std::vector<double> gram(sums.size());
  std::transform(sums.begin(), sums.end(), gram.begin(), [](const CompensatedSum& s) { return s.value(); });
  return gram;
}

std::vector<double> component_products(const Factors& a, const Factors& b) {
  std::vector<double> products(a.rank() * b.rank(), 1.0);
  for (std::size_t k = 0; k < a.modes(); ++k) {
    const std::vector<double> gram = cross_gram(a, b, k);
    for (std::size_t t = 0; t < products.size(); ++t) products[t] *= gram[t];
  }
  return products;
}

}  // namespace polyad
