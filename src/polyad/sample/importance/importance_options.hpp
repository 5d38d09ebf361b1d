#pragma once
// How the sampler `importance` follows the model (docs/importance.md).

#include <polyad/base/fields.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

namespace polyad {

enum class ImportanceZeros { drawn, exact };
constexpr std::array<std::string_view, 2> words_of(ImportanceZeros) {
  return {"drawn", "exact"};
}

struct ImportanceOptions {
  std::optional<ImportanceZeros> zeros;
  std::uint64_t refresh = 100;
  double uniform_share = 0.2;
  bool adaptive = true;

  friend bool operator==(const ImportanceOptions&, const ImportanceOptions&) = default;

  static auto fields() {
    using O = ImportanceOptions;
    return std::tuple{
        field("importance-zeros", &O::zeros,
              "zeros of a sparse tensor: drawn, or summed exactly as by exact-zeros; auto: exact where the loss allows "
              "it"),
        field(
            "importance-refresh", &O::refresh,
            "iterations after which densities are built again from the model (those of nonzeros less often where there "
            "are "
            "many: at least at the beginning of every epoch)",
            count_from(1)),
        field("importance-uniform", &O::uniform_share,
              "share of the draws that stay uniform; no weight exceeds its inverse times that of a uniform draw",
              within(0.01, 1)),
        field("importance-adaptive", &O::adaptive,
              "measure at every epoch what following the model gains, for nonzeros and for other cells, and draw "
              "uniformly "
              "where it does not pay"),
    };
  }
};

}  // namespace polyad
