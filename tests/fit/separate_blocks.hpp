#pragma once
// Counts in a few boxes that share no index in any mode: as clear as structure can be, and yet random starts spread their
// components over so many cells that some of them, or all, die.

#include <polyad/kernel/exact_objective.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/model.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace polyad {

struct SeparateBlocks {
  Tensor tensor;
  KTensor planted;  ///< constant within each block
  double loss = 0;  ///< of the planted model, exact
};

inline SeparateBlocks separate_blocks(std::vector<std::uint64_t> extents, std::size_t blocks, std::uint64_t side,
                                      std::size_t counts, unsigned seed) {
  std::mt19937_64 draw(seed);
  Records records(extents.size());
  KTensor planted(Factors(extents, blocks));
  std::vector<Index> index(extents.size());
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t n = 0; n < counts; ++n) {
      for (std::size_t k = 0; k < extents.size(); ++k) {
        index[k] = static_cast<Index>(b * (extents[k] / blocks) + draw() % side);
      }
      records.append(index.data(), 1);
    }
    for (std::size_t k = 0; k < extents.size(); ++k) {
      for (std::uint64_t i = 0; i < side; ++i) {
        planted.factors.at(k, b * (extents[k] / blocks) + i, b) =
            std::pow(static_cast<double>(counts), 1 / static_cast<double>(extents.size())) / static_cast<double>(side);
      }
    }
  }
  Tensor tensor(SparseTensor(IndexSpace(extents), std::move(records)));
  const double loss = *exact_objective(planted.factors, tensor, parse_loss("poisson"), 1e9);
  return {std::move(tensor), std::move(planted), loss};
}

}  // namespace polyad
