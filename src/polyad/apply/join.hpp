#pragma once
// New data and a model speak of the same things by label, not by position: a day, an hour or a place is looked up by its name,
// whatever order the data have them in. `join` brings data into the model's index space:
//
//   - Modes are matched by name where all of them have one on both sides, in any order; otherwise by position.
//   - Within a mode labels are matched. Labels that only the model has stay: sparse data have zeros there (nothing happened), or
//     missing cells where unlisted cells are missing; in dense data these cells are missing.
//   - Labels that only the data have are new. Where they may be depends on what the data are for (NewLabels); elsewhere they are an
//     error that lists them, or their cells are left out (`unknown ignore`).
//   - A mode without labels on either side is matched by position and must have the same extent, unless it is where new slices go.
//
// O(cells + labels). Data that fit as they are, are not copied.

#include <polyad/fields.hpp>
#include <polyad/files.hpp>
#include <polyad/tensor.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace polyad {

enum class UnknownLabels { error, ignore };
constexpr std::array<std::string_view, 2> words_of(UnknownLabels) {
  return {"error", "ignore"};
}

/// Where data may have labels that the model does not know.
enum class NewLabels {
  nowhere,            ///< the data are to be judged as they are
  in_one_mode,        ///< new slices of one mode, whose rows are the data's own, known or new
  slices_and_others,  ///< new slices of one mode as above; all other modes grow
  anywhere,           ///< modes grow: the model's labels first, then the new ones in the data's order
};

struct JoinOptions {
  std::string mode;
  UnknownLabels unknown = UnknownLabels::error;

  static auto fields() {
    using O = JoinOptions;
    return std::tuple{
        field("mode", &O::mode,
              "mode of the new slices, by name or number from 1; otherwise the one in which the data have new labels")
            .shown_as("MODE"),
        field("unknown", &O::unknown,
              "labels that the model does not know, in other modes: error, or leave their cells out"),
    };
  }
};

/// The model's side of a join.
struct ModelSpace {
  const Labels& labels;
  const std::vector<std::uint64_t>& extents;
};

inline constexpr Index no_row = std::numeric_limits<Index>::max();

struct Joined {
  Tensor tensor;                              ///< modes in the model's order, with the joined labels
  std::optional<std::size_t> free_mode;       ///< of the new slices (NewLabels::in_one_mode, slices_and_others)
  std::vector<std::vector<Index>> model_row;  ///< by mode and index of the tensor; no_row: the model has none
  std::uint64_t cells_left_out = 0;           ///< listed or observed cells with unknown labels
  Remarks remarks;                            ///< what was matched and left out, for people
};

/// Data errors say in one line which mode or labels do not fit, and what to do.
Joined join(const ModelSpace& model, Tensor data, NewLabels where, const JoinOptions& options = {});

}  // namespace polyad
