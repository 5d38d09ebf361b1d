#pragma once
// How the rate moves over a fit, and what happens after an epoch; ScheduleKind says what each schedule does.
//
// In all of them an epoch with a non-finite estimate is undone and later rates shrink by `decay`. Under cosine and constant
// only such epochs count as bad, and `max_nonfinite_epochs` of them end the fit: it has diverged.

#include <polyad/base/option_use.hpp>
#include <polyad/options/steps.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace polyad {

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

  /// The rate of iteration `iteration` (0 ..) of the coming epoch. For cosine, with p the iteration's position among all
  /// epochs * epoch_iterations, from 0 to 1:
  ///
  ///   scale * (final_rate + (rate - final_rate) (1 + cos(pi p)) / 2)
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
