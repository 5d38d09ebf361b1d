#pragma once
// Independent tasks on a few threads, and how many threads a piece of work may use. What a task computes may depend on its number
// only, never on the thread that happens to run it: this is how results stay the same for any number of threads.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>

namespace polyad {

/// The number of threads meant by a request: 0 means one per core.
std::size_t thread_count(std::size_t requested);

/// Calls task(0) .. task(count-1), at most `threads` at a time. The first exception (by task number) is rethrown after
/// all running tasks have ended; tasks not yet begun are then left out.
void parallel_tasks(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& task);

/// Threads divided evenly among the tasks that have not ended, of which at most one per thread runs at a time.
class ThreadShare {
 public:
  ThreadShare(std::size_t threads, std::size_t tasks) : threads_(std::max<std::size_t>(1, threads)), left_(tasks) {}

  std::size_t each() const { return threads_ / std::clamp<std::size_t>(left_, 1, threads_); }
  void task_ended() { --left_; }

 private:
  const std::size_t threads_;
  std::atomic<std::size_t> left_;
};

/// How many threads a piece of work may use. It is asked for again and again, because the answer may change: when one of several
/// pieces side by side ends, its threads serve the others.
class ThreadBudget {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a number is one
  ThreadBudget(std::size_t threads) : fixed_(std::max<std::size_t>(1, threads)) {}
  /// What each task of `share` has. The share must outlive this.
  explicit ThreadBudget(const ThreadShare& share) : share_(&share) {}

  std::size_t now() const { return share_ != nullptr ? share_->each() : fixed_; }

 private:
  std::size_t fixed_ = 1;
  const ThreadShare* share_ = nullptr;
};

}  // namespace polyad
