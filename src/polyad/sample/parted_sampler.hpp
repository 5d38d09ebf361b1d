#pragma once
// A sampler made of draws: every part of a batch is a list of strata, each filled by draws of its own kind. All samplers
// but the exhaustive one are made of these, in parts.cpp and strata.cpp.

#include <polyad/sample/cell_draws.hpp>
#include <polyad/sample/dense_draws.hpp>
#include <polyad/sample/listed_draws.hpp>
#include <polyad/sample/sampler.hpp>
#include <polyad/sample/zero_draws.hpp>

#include <string>
#include <variant>
#include <vector>

namespace polyad {

using Draws = std::variant<ListedDraws, ZeroDraws, DenseDraws, CellDraws>;

struct PartedDraws {
  std::size_t modes = 0;
  Partition partition;
  std::vector<std::vector<Draws>> parts;  ///< zeros last within a part
  bool with_w0 = false;
  double all_cells = 0;  ///< of the whole batch
};

std::unique_ptr<Sampler> make_parted(SamplerKind kind, PartedDraws draws, std::string description);

}  // namespace polyad
