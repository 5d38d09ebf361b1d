#include <polyad/solve/thread_tuner.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

constexpr double stretch_seconds = 3e-3;
constexpr std::uint64_t first_stretch = 8;
// Stretches between two trials: a trial that did not pay doubles it.
constexpr std::uint64_t shortest_interval = 4;
constexpr std::uint64_t longest_interval = 256;
constexpr double pays = 0.9;       // of the cost, for a trial to be kept
constexpr double disturbed = 1.5;  // times the cost: something has changed, try at once
constexpr double newest_share = 0.25;

}  // namespace

void ThreadTuner::begin(std::size_t allowed) {
  *this = ThreadTuner();
  allowed_ = allowed;
  interval_ = shortest_interval;
  until_trial_ = interval_;
}

void ThreadTuner::choose() {
  trying_ = halvings_;
  if (allowed_ == 1 || cost_ <= 0 || until_trial_ > 0) return;
  const bool can_fewer = (allowed_ >> halvings_) > 1;
  const bool can_more = halvings_ > 0;
  const bool fewer = can_fewer && (try_fewer_ || !can_more);
  trying_ = fewer ? halvings_ + 1 : halvings_ - 1;
  try_fewer_ = !fewer;
}

std::size_t ThreadTuner::threads(std::size_t allowed) {
  if (allowed != allowed_) begin(allowed);
  if (!warming_) choose();  // what has warmed up goes on
  const std::size_t now = std::max<std::size_t>(1, allowed_ >> trying_);
  warming_ = now != used_;
  used_ = now;
  return now;
}

std::uint64_t ThreadTuner::iterations() const {
  if (cost_ <= 0) return first_stretch;
  const double share = warming_ ? 0.25 : trying_ != halvings_ ? 0.5 : 1.0;
  return static_cast<std::uint64_t>(std::clamp(std::round(share * stretch_seconds / cost_), 1.0, 1e6));
}

void ThreadTuner::record(std::uint64_t iterations, double seconds) {
  if (iterations == 0 || warming_) return;
  const double cost = std::max(seconds, 1e-9) / static_cast<double>(iterations);
  if (trying_ != halvings_) {
    const bool better = cost < pays * cost_;
    if (better) {
      halvings_ = trying_;
      cost_ = cost;
    }
    interval_ = better ? shortest_interval : std::min(2 * interval_, longest_interval);
    until_trial_ = interval_;
    return;
  }
  if (until_trial_ > 0) --until_trial_;
  if (cost_ > 0 && cost > disturbed * cost_ && interval_ > shortest_interval) {
    interval_ = shortest_interval;
    until_trial_ = 0;
  }
  cost_ = cost_ > 0 ? (1 - newest_share) * cost_ + newest_share * cost : cost;
}

}  // namespace polyad
