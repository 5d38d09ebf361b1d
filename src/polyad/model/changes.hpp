#pragma once
// What became of a model's components in another model: stronger, weaker, new, gone. Components are matched one to one by the best
// assignment over the labels that both models have (score in model.hpp); a pair counts as the same component from a likeness
// of `alike` on.
//
//   likeness   the product over the modes of the columns' cosines
//   strength   what the component says on average of a cell that both have: weight times the columns' means (signed models: root mean
//              squares); a mode without shared labels counts by its own mean, so that a month compares with another
//   labels     where the columns differ: for each shared mode the share of a label in its column, before and after

#include <polyad/fields.hpp>
#include <polyad/model/shared_labels.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

namespace polyad {

struct ChangeOptions {
  double alike = 0.7;
  double least_change = 0.1;
  std::uint64_t top = 3;

  static auto fields() {
    using O = ChangeOptions;
    return std::tuple{
        field("alike", &O::alike, "likeness from which on two components are the same one", within(0.01, 1)),
        field("least-change", &O::least_change, "relative change of strength that is worth a word", within(0, 10)),
        field("top", &O::top, "labels to name of each mode, those that changed most", within(1, 1000)),
    };
  }
};

enum class Change { same, stronger, weaker, gone, appeared };
constexpr std::array<std::string_view, 5> words_of(Change) {
  return {"as before", "stronger", "weaker", "gone", "new"};
}

struct LabelChange {
  Index of_a = 0, of_b = 0;
  double before = 0, after = 0;
};

struct ComponentChange {
  std::size_t of_a = Score::npos, of_b = Score::npos;  ///< npos: there is none
  Change change = Change::same;
  double likeness = 0;                                ///< of a pair
  double before = 0, after = 0;                       ///< strength
  std::vector<double> modes = {};                     ///< likeness by shared mode, of a pair
  std::vector<std::vector<LabelChange>> labels = {};  ///< by shared mode, largest change first; of a pair
};

struct ModelChanges {
  SharedModels shared;
  Score score;                              ///< over the shared part
  std::vector<ComponentChange> components;  ///< those of a in its order, then what is new in b
};

ModelChanges changes(const KTensor& a, const LabelledSpace& space_a, const KTensor& b, const LabelledSpace& space_b,
                     const ChangeOptions& options = {});

}  // namespace polyad
