#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/base/math.hpp>
#include <polyad/optim/schedule.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace polyad {

namespace {

constexpr double paper_rate = 0.01;
constexpr double final_share = 1e-3;  // of the rate, at the end of a cosine

struct ScheduleInfo {
  std::string_view word;
  std::uint64_t epochs;  // where none are asked for
  bool may_end_before;   // the epochs are a limit
  std::string_view uses;
};

// THE list of schedules, in the order of `ScheduleKind`.
constexpr std::array schedules = {ScheduleInfo{"cosine", 20, false, "final-rate"},
                                  ScheduleInfo{"paper", 1000, true, "max-bad-epochs"},
                                  ScheduleInfo{"constant", 20, false, ""}};

const ScheduleInfo& info_of(ScheduleKind kind) {
  return schedules.at(static_cast<std::size_t>(kind));
}

/// How much of the whole fit lies before this iteration, 0 to 1. In double: the product may exceed 64 bits.
double progress(const ScheduleOptions& options, const ScheduleState& state, std::uint64_t iteration) {
  const double an_epoch = static_cast<double>(options.epoch_iterations);
  const double done = static_cast<double>(state.epochs_run) * an_epoch + static_cast<double>(iteration);
  return std::min(1.0, done / (static_cast<double>(*options.epochs) * an_epoch));
}

}  // namespace

std::span<const std::string_view> words_of(ScheduleKind) {
  static const auto words = [] {
    std::array<std::string_view, schedules.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = schedules[i].word;
    return all;
  }();
  return words;
}

const std::string& epochs_help() {
  static const std::string help = [] {
    std::string text = "epochs to run; auto: ";
    for (std::size_t i = 0; i < schedules.size(); ++i) {
      const ScheduleInfo& info = schedules[i];
      text +=
          fmt::format("{}{}{} ({})", i == 0 ? "" : ", ", info.may_end_before ? "at most " : "", info.epochs, info.word);
    }
    return text;
  }();
  return help;
}

std::vector<OptionUser> schedule_users(ScheduleKind chosen) {
  std::vector<OptionUser> users;
  for (const ScheduleInfo& info : schedules) {
    users.push_back({"schedule", info.word, {&info.uses, 1}, &info == &info_of(chosen)});
  }
  return users;
}

ScheduleOptions resolve(const ScheduleOptions& options) {
  validate_fields(options);
  ScheduleOptions resolved = options;
  if (!resolved.epochs) resolved.epochs = info_of(options.kind).epochs;
  if (!resolved.rate) resolved.rate = paper_rate;
  if (!resolved.final_rate) resolved.final_rate = *resolved.rate * final_share;
  if (options.kind == ScheduleKind::cosine && *resolved.final_rate > *resolved.rate) {
    fail(ErrorKind::usage, "`final-rate` must not exceed `rate`, which is {} (is {})", *resolved.rate,
         *resolved.final_rate);
  }
  return resolved;
}

Schedule::Schedule(const ScheduleOptions& options) : options_(resolve(options)) {}

double Schedule::rate(const ScheduleState& state, std::uint64_t iteration) const {
  if (options_.kind != ScheduleKind::cosine) return *options_.rate * state.scale;
  const double height = (1 + math::cos(std::numbers::pi * progress(options_, state, iteration))) / 2;
  return (*options_.final_rate + (*options_.rate - *options_.final_rate) * height) * state.scale;
}

Verdict Schedule::judge(ScheduleState& state, double before, double after) const {
  ++state.epochs_run;
  const bool bad = !std::isfinite(after) || (options_.kind == ScheduleKind::paper && after > before);
  if (!bad) return Verdict::accept;
  ++state.bad_epochs;
  state.scale *= options_.decay;
  return Verdict::restore;
}

bool Schedule::finished(const ScheduleState& state) const {
  return state.epochs_run >= *options_.epochs || gave_up(state);
}

bool Schedule::gave_up(const ScheduleState& state) const {
  return options_.kind == ScheduleKind::paper ? state.bad_epochs > options_.max_bad_epochs
                                              : state.bad_epochs >= max_nonfinite_epochs;
}

}  // namespace polyad
