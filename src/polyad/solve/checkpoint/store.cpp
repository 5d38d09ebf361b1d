#include <polyad/solve/checkpoint/store.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/io/atomic_file.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace polyad {

namespace {

// Options that do not change results, or that say where to stop: a fit may be resumed with others.
constexpr std::array<std::string_view, 6> free_options = {"threads", "time-limit", "checkpoint",
                                                          "every",   "resume",     "simd"};

constexpr std::size_t number_count = 10;

StoredStart stored(std::uint64_t start, const StartState& state) {
  StoredStart out;
  out.start = start;
  out.numbers = {state.finished ? 1.0 : 0.0,
                 static_cast<double>(state.why),
                 static_cast<double>(state.draws),
                 static_cast<double>(state.steps),
                 static_cast<double>(state.schedule.epochs_run),
                 static_cast<double>(state.schedule.bad_epochs),
                 state.schedule.scale,
                 state.estimate,
                 state.best_estimate,
                 state.seconds};
  for (const auto& [name, values] :
       {std::pair("factors", &state.factors), std::pair("best", &state.best), std::pair("first", &state.first),
        std::pair("second", &state.second), std::pair("peak", &state.peak)}) {
    if (!values->empty()) out.arrays.emplace_back(name, *values);
  }
  out.trace = state.trace;
  return out;
}

StartState restored(const std::string& path, StoredStart& from) {
  if (from.numbers.size() != number_count) {
    fail(ErrorKind::data, "'{}': start {} has {} numbers where {} are expected; was it written by another version?",
         path, from.start + 1, from.numbers.size(), number_count);
  }
  const auto whole = [&](std::size_t i) { return static_cast<std::uint64_t>(from.numbers[i]); };
  StartState state;
  state.finished = from.numbers[0] != 0;
  state.why = whole(1);
  state.draws = whole(2);
  state.steps = whole(3);
  state.schedule.epochs_run = whole(4);
  state.schedule.bad_epochs = whole(5);
  state.schedule.scale = from.numbers[6];
  state.estimate = from.numbers[7];
  state.best_estimate = from.numbers[8];
  state.seconds = from.numbers[9];
  for (auto& [name, values] : from.arrays) {
    for (const auto& [wanted, into] :
         {std::pair("factors", &state.factors), std::pair("best", &state.best), std::pair("first", &state.first),
          std::pair("second", &state.second), std::pair("peak", &state.peak)}) {
      if (name != wanted) continue;
      *into = std::move(values);
      break;
    }
  }
  state.trace = std::move(from.trace);
  return state;
}

std::string shown(const Json& json) {
  return json.is_string() ? json.get<std::string>() : json.dump();
}

void expect_agreement(const std::string& path, const Json& there, const Json& here, std::string_view what) {
  for (const auto& item : here.items()) {
    if (std::find(free_options.begin(), free_options.end(), item.key()) != free_options.end()) continue;
    if (there.contains(item.key()) && there[item.key()] == item.value()) continue;
    fail(ErrorKind::usage, "'{}' is a checkpoint of another fit: {}{} was {}, now it is {}", path, what, item.key(),
         there.contains(item.key()) ? shown(there[item.key()]) : "not there", shown(item.value()));
  }
}

}  // namespace

CheckpointStore::CheckpointStore(const CheckpointOptions& options, Json identity, Json fit_options)
    : path_(options.file.empty() ? options.resume : options.file),
      every_(options.every),
      identity_(std::move(identity)),
      options_(std::move(fit_options)),
      written_(std::chrono::steady_clock::now()) {
  if (active()) check_writable(path_);
  if (options.resume.empty()) return;
  CheckpointFile file = read_checkpoint(options.resume);
  expect_agreement(options.resume, file.identity, identity_, "the data's ");
  expect_agreement(options.resume, file.options, options_, "");
  const auto simd_of = [](const Json& json) { return json.contains("simd") ? shown(json["simd"]) : std::string(); };
  if (const std::string there = simd_of(file.options), here = simd_of(options_); !there.empty() && there != here) {
    remark_ = fmt::format(
        "'{}' was written by the instruction set {}, this fit goes on with {}: its bits may differ from those of a fit "
        "that was never stopped",
        options.resume, there, here);
  }
  for (StoredStart& start : file.starts) states_[start.start] = restored(options.resume, start);
}

std::optional<StartState> CheckpointStore::state_of(std::uint64_t start) const {
  const std::lock_guard lock(mutex_);
  const auto found = states_.find(start);
  if (found == states_.end()) return std::nullopt;
  return found->second;
}

void CheckpointStore::keep(std::uint64_t start, StartState state) {
  if (!active()) return;
  const std::lock_guard lock(mutex_);
  states_[start] = std::move(state);
  fresh_ = true;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - written_;
  if (since.count() >= every_) write_locked();
}

void CheckpointStore::flush() {
  const std::lock_guard lock(mutex_);
  if (fresh_) write_locked();
}

void CheckpointStore::write_locked() {
  CheckpointFile file;
  file.identity = identity_;
  file.options = options_;
  for (const auto& [start, state] : states_) file.starts.push_back(stored(start, state));
  written_ = std::chrono::steady_clock::now();
  try {
    write_checkpoint(path_, file);
    fresh_ = false;
    trouble_.clear();
  } catch (const Error& error) {
    trouble_ = error.what();
  }
}

std::string CheckpointStore::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

}  // namespace polyad
