#pragma once
// How many components? Ranks are compared on cells that no fit has seen, and the smallest one that is as good as the best is
// recommended, with its reason.
//
//   FitOptions options;
//   options.loss = "poisson";
//   Choice choice = select(tensor, options);
//   choice.chosen().rank;    choice.reason;
//
// Every candidate is fitted to the same training cells, from the same seeds, and judged on the same held-out cells (hold_out in
// fit.hpp), so that differences between ranks are paired: what is hard about a cell is hard for all. Each repeat holds out other
// cells.

#include <polyad/fit.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace polyad {

struct SelectOptions {
  std::string ranks;  ///< "2:12", "1,2,4"; empty: 1, 2, 3, 4, 6, 8, 12, 16 until it stops paying, and what lies between
  std::uint64_t repeats = 3;  ///< with other cells held out
  std::uint64_t starts = 3;   ///< of every fit; one of them begins from the next smaller rank

  static auto fields() {
    using O = SelectOptions;
    return std::tuple{
        field(
            "ranks", &O::ranks,
            "ranks to compare, such as 2:12 or 1,2,4,8; otherwise 1, 2, 3, 4, 6, 8, 12, 16 until it stops paying, and "
            "those between the last two that matter"),
        field("repeats", &O::repeats, "how often other cells are held out and every rank is fitted again",
              count_from(1)),
        field("candidate-starts", &O::starts,
              "starts of every fit of a rank; one of them begins from the solution of a smaller rank", count_from(1)),
    };
  }
};

/// One fit: a rank and a repeat.
struct CandidateFit {
  KTensor model;
  double training_explained = 0;                  ///< of the deviance, in the cells it saw
  double loss = 0, null_loss = 0, best_loss = 0;  ///< weighted sums over the held-out cells
  double seconds = 0;
  bool idle_components = false;  ///< some do no work
};

struct Candidate {
  std::uint64_t rank = 0;
  std::vector<CandidateFit> fits;  ///< one per repeat; fewer where the candidate was stopped
  bool stopped = false;            ///< it could not win any more
  double training_explained = 0;   ///< means over the repeats
  double explained = 0;            ///< of the deviance in held-out cells
  double behind = 0;               ///< what it explains less than the best candidate, on the same cells
  double behind_error = 0;         ///< standard error of that difference
  std::optional<double>
      found_again;  ///< components that other repeats found too (cosine product of at least 0.9), on average

  bool idle_components() const;
  double seconds() const;
};

struct Choice {
  std::vector<Candidate> candidates;  ///< by rank
  std::size_t best = 0;               ///< lowest held-out loss
  std::size_t recommended = 0;        ///< the smallest rank within one standard error of the best
  std::string reason;                 ///< one sentence
  std::string held_out;               ///< what every repeat held out: "4,213 nonzeros and 168,520 zeros"
  std::vector<std::string> remarks;
  FitOptions options;        ///< of every fit but for its rank
  bool interrupted = false;  ///< or out of time: candidates are missing
  double seconds = 0;

  const Candidate& chosen() const { return candidates[recommended]; }
};

/// News of a running selection.
struct SelectProgress {
  std::uint64_t rank = 0;
  std::uint64_t repeat = 0, repeats = 0;
  std::size_t fits_done = 0;
  double seconds = 0;
  std::optional<double> seconds_left;  ///< for the ranks that are planned; more may follow
};

struct SelectMonitor {
  std::function<void(const SelectProgress&)> on_fit;  ///< before every fit; may be empty
  Monitor fit;                                        ///< of each fit; its interrupt ends the selection
};

/// `options.rank` is not used. `options.holdout` says what is held out (0.1 where it says nothing); repeat n uses its seed + n.
/// `options.stop.time_limit` is for all fits together. Memory: a copy of the data per repeat.
Choice select(const Tensor& tensor, const FitOptions& options, const SelectOptions& select = {},
              const SelectMonitor& monitor = {});

/// The table and the recommendation, for people.
std::string describe(const Choice& choice);
/// All figures but the models.
std::string json_text(const Choice& choice);

}  // namespace polyad
