#pragma once
// How the rate moves over a fit, and what happens after an epoch.
//
//   paper     one rate; an epoch that raises the estimate is undone and the rate decays (Alg. 4); ends after
//             max_bad_epochs + 1 such epochs
//   cosine    the rate falls from `rate` to `final_rate` along half a cosine over `epochs`; a rise is not undone, the best
//             estimate is kept; ends after its epochs
//   constant  one rate throughout, otherwise as cosine
//
// In all of them an epoch with a non-finite estimate is undone and later rates shrink by `decay`. Under cosine and constant
// only such epochs count as bad, and `max_nonfinite_epochs` of them end the fit: it has diverged.

#include <polyad/base/fields.hpp>
#include <polyad/base/option_use.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace polyad {

/// In the order of the table (schedule.cpp).
enum class ScheduleKind { cosine, paper, constant };
std::span<const std::string_view> words_of(ScheduleKind);
/// "epochs to run; auto: ...", from the table.
const std::string& epochs_help();

struct ScheduleOptions {
  ScheduleKind kind = ScheduleKind::cosine;
  std::optional<double> rate;  ///< auto: the paper's 0.01, unless fit knows the size of the factors (defaults.hpp)
  std::optional<double> final_rate;  ///< auto: rate / 1000
  double decay = 0.1;
  std::uint64_t max_bad_epochs = 1;
  std::optional<std::uint64_t> epochs;
  std::uint64_t epoch_iterations = 1000;

  static auto fields() {
    using O = ScheduleOptions;
    return std::tuple{
        field("schedule", &O::kind, "how the step size moves over the fit"),
        field("rate", &O::rate,
              "step size at the start; auto: 1.5 % of the size of the starting factors, or 0.01 for schedule paper",
              above(0)),
        field("final-rate", &O::final_rate, "step size at the end (cosine); auto: rate / 1000", above(0)),
        field("decay", &O::decay, "factor on the step size after a bad epoch", within(1e-6, 0.999999)),
        field("max-bad-epochs", &O::max_bad_epochs, "bad epochs allowed before the fit ends (paper)", count_from(0)),
        field("epochs", &O::epochs, epochs_help(), count_from(1)),
        field("epoch-iterations", &O::epoch_iterations, "iterations per epoch", count_from(1)),
    };
  }
};

inline constexpr std::uint64_t max_nonfinite_epochs = 10;

/// The part of a schedule that moves; it never rewinds.
struct ScheduleState {
  std::uint64_t epochs_run = 0;  ///< undone ones included
  std::uint64_t bad_epochs = 0;
  double scale = 1.0;  ///< product of the decays so far

  friend bool operator==(const ScheduleState&, const ScheduleState&) = default;
};

enum class Verdict { accept, restore };

class Schedule {
 public:
  /// Keeps resolve(options).
  explicit Schedule(const ScheduleOptions& options);

  /// The rate of iteration `iteration` (0 ..) of the coming epoch. Cosine: progress p is the iteration's
  /// position among all epochs * epoch_iterations, and the rate is scale * (final + (rate - final) (1 +
  /// cos(pi p)) / 2).
  double rate(const ScheduleState& state, std::uint64_t iteration) const;
  /// Judges the epoch just run and advances the state.
  Verdict judge(ScheduleState& state, double before, double after) const;
  /// Whether the fit has run its course.
  bool finished(const ScheduleState& state) const;
  /// Whether it is bad epochs that ended it: too many rises (paper), too many non-finite estimates (the others).
  bool gave_up(const ScheduleState& state) const;
  const ScheduleOptions& options() const { return options_; }

 private:
  ScheduleOptions options_;
};

/// All schedules as users of options.
std::vector<OptionUser> schedule_users(ScheduleKind chosen);

/// The options with everything that is auto filled in; usage errors name the field and the broken rule.
ScheduleOptions resolve(const ScheduleOptions& options);

}  // namespace polyad
