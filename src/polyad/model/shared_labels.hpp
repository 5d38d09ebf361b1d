#pragma once
// Two models of different data speak of the same things by label: days, hours, places of 2016 and of 2017, in any order. What both
// have can be compared, and what only one has is known by name.
//
//   - Modes are matched by name where both have the same names, in any order; otherwise by position.
//   - Within a mode labels are matched. Without labels on either side, or with labels that occur twice, indices are, and the extents
//     must be the same.

#include <polyad/cells.hpp>
#include <polyad/model.hpp>
#include <polyad/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polyad {

/// A model's index space with its names; `name` is for messages.
struct LabelledSpace {
  const Labels& labels;
  const std::vector<std::uint64_t>& extents;
  std::string_view name;
};

struct SharedLabels {
  struct Mode {
    std::size_t of_b = 0;                            ///< the mode of b
    bool by_label = false;                           ///< otherwise by position
    std::vector<std::pair<Index, Index>> rows = {};  ///< (of a, of b), in the order of a
  };
  std::vector<Mode> modes;  ///< in the order of a

  /// All of both, as they stand.
  bool same(const LabelledSpace& a, const LabelledSpace& b) const;
};

/// A usage error where the numbers of modes differ, or the extents of a mode without labels.
SharedLabels shared_labels(const LabelledSpace& a, const LabelledSpace& b);

inline constexpr Index absent_row = std::numeric_limits<Index>::max();
/// A model whose mode k has the rows `rows[k]` of the model's mode `modes[k]`; absent_row: zeros.
KTensor placed_rows(const KTensor& model, const std::vector<std::size_t>& modes,
                    const std::vector<std::vector<Index>>& rows);

/// Both models over what they share. A mode without a shared label is left out: its columns' mean (signed models: root mean square)
/// goes into the weights, so that weights are strengths per slice. A usage error where no mode is left.
struct SharedModels {
  KTensor a, b;
  SharedLabels labels;
  std::vector<std::size_t> modes;     ///< of a, that are there
  std::vector<std::size_t> left_out;  ///< of a
  std::vector<std::string> remarks;   ///< what was left out, for people
};
SharedModels shared_models(const KTensor& a, const LabelledSpace& space_a, const KTensor& b,
                           const LabelledSpace& space_b);

/// The model for data with other labels, to begin a fit from: rows by label; labels that it does not know have the mean of its rows.
/// A usage error where nothing is shared in a mode.
KTensor for_labels(const KTensor& model, const LabelledSpace& own, const LabelledSpace& data);

}  // namespace polyad
