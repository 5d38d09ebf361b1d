#pragma once
// What in the data did the model not expect? Single cells, and slices (days, places) and pairs of modes (days x places) as a whole,
// most improbable first: more than expected, or less.
//
//   p          how probable a value is that is at least as far from what the model expects (loss/tails.hpp): two-sided, mid-p
//   tested     every observed cell, zeros that sparse data do not list included: "expected 12, saw 0" counts
//   marked     p is below the threshold at which a share `false-alarms` of all that is marked would be false (Benjamini and
//              Hochberg 1995, over all that was tested)
//
// The list of cells is exact without a visit to all: listed cells are judged one by one; of the unlisted zeros those in which the
// model expects most are found by branch and bound (large_cells.hpp).
//
// Slices and pairs are judged by their totals. A fit makes the totals of its own slices come true, so that a slice is also judged by
// its pairs and by its cells: its p is the least of the three after Bonferroni's correction, and `through` says which one it was.
// Expected totals have a closed form where m is the mean (poisson, gaussian); other losses on sparse data visit every cell, up to 2e8.
//
// Labels in one mode that the model does not know (new days) get rows first, from these data (transform.hpp).
// Cost: O(listed r d) and the search; 5 million nonzeros take about a second on two cores.

#include <polyad/apply/join.hpp>
#include <polyad/files.hpp>
#include <polyad/loss.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace polyad {

enum class Direction { both, more, less };
constexpr std::array<std::string_view, 3> words_of(Direction) {
  return {"both", "more", "less"};
}

struct SurpriseOptions : JoinOptions {
  std::uint64_t top = 20;
  double false_alarms = 0.05;
  Direction direction = Direction::both;
  bool pairs = true;
  double level = 0.9;
  std::optional<double> dispersion;
  std::optional<double> scale;
  std::string loss;
  std::uint64_t threads = 0;

  static auto fields() {
    using O = SurpriseOptions;
    return std::tuple_cat(
        JoinOptions::fields(),
        std::tuple{
            field("top", &O::top, "entries of each list: cells, slices of each mode, pairs of modes",
                  within(1, 1'000'000)),
            field("false-alarms", &O::false_alarms, "share of false alarms among what is marked", within(1e-6, 0.5)),
            field("direction", &O::direction, "list what is more than expected, what is less, or both"),
            field("pairs", &O::pairs, "look at the totals of pairs of modes too"),
            field("level", &O::level, "share of the data that lies within the interval", within(0.001, 0.9999)),
            field("dispersion", &O::dispersion,
                  "poisson: variance of the data over their mean; auto: from the data, at least 1", at_least(1)),
            field("scale", &O::scale, "standard deviation (gaussian) or shape (gamma) of the data; auto: from the data",
                  above(0)),
            field("loss", &O::loss, "loss of a model file that does not name its own").shown_as("LOSS"),
            field("threads", &O::threads, "threads to use (results do not depend on it); 0: one per core"),
        });
  }
};

/// Some modes held at an index; all cells there.
struct Place {
  std::vector<std::size_t> modes;
  std::vector<Index> index;  ///< one per mode

  friend bool operator==(const Place&, const Place&) = default;
};

struct SurpriseEntry {
  std::vector<Index> index;  ///< one per mode of its list
  double observed = 0, expected = 0;
  double low = 0, high = 0;  ///< between which a share `level` of such data lie
  double log_p = 0;          ///< natural logarithm: p itself may be too small for a double
  double residual = 0;  ///< signed deviance residual of a cell; of a total (observed - expected) / standard deviation
  int side = 0;         ///< 1: more than expected, -1: less
  bool marked = false;
  std::vector<std::pair<std::size_t, double>> components;  ///< that expect most here, with their shares
  std::uint64_t more = 0, less = 0;                        ///< marked cells within a slice or pair
  Place through = {};  ///< of a slice: the pair or cell that its p is from; without modes: its total
};

struct SurpriseList {
  std::vector<std::size_t> modes;       ///< all of them: cells; one: slices; two: pairs
  std::vector<SurpriseEntry> findings;  ///< least p first (equal ones by position)
  double tested = 0;
  double threshold = 0;      ///< natural logarithm of the largest p that is marked; -infinity: none
  std::uint64_t marked = 0;  ///< in all
};

struct Surprise {
  SurpriseList cells;
  std::vector<SurpriseList> slices;  ///< one per mode; empty where totals would take too long
  std::vector<SurpriseList> pairs;
  /// By mode and index: -log10 p of the slice, negative where less was observed.
  std::vector<std::vector<double>> slice_scores;
  KTensor model;  ///< that the data were judged by: new rows included, weights 1
  Labels labels;  ///< of model and data
  std::string loss;
  double dispersion = 1;
  std::optional<double> scale;
  double level = 0.9, false_alarms = 0.05;
  bool exact = true;    ///< false: the search for zeros was given up, and more of them may belong into the lists
  double searched = 0;  ///< steps that it took
  Remarks remarks;      ///< of the join, and what was left out
  double seconds = 0;
};

/// Data errors: labels that do not match, values that the loss does not allow. A usage error where the loss has no likelihood.
Surprise surprise(const ModelFile& file, Tensor data, const SurpriseOptions& options = {});

/// For a terminal: a line on the law, then the lists, with labels as they are in the data.
std::string surprise_text(const Surprise& result);
/// All of it; p as `p` and, since that may be 0, as `log10-p`; `scores` are those of slice_scores, of modes up to 20,000.
std::string surprise_json(const Surprise& result);
/// One row per finding: kind (cell, slice, pair), a column per mode (empty: all of it), value, expected, low, high, p, log10_p,
/// residual, direction, marked, components.
std::string surprise_csv(const Surprise& result);
/// By extension: .csv or .json.
void write_surprise(const std::string& path, const Surprise& result);
/// The model that the data were judged by, as a report shows it.
ModelFile to_model_file(const Surprise& result, const ModelFile& original);

}  // namespace polyad
