#include <polyad/base/team.hpp>

#include <algorithm>
#include <system_error>

namespace polyad {

namespace {

// Some ten microseconds: about the longest that threads with equal shares of an iteration wait for each other.
constexpr int spins = 2000;

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Team::~Team() {
  leaving_ = true;
  ++runs_;
  runs_.notify_all();
}

void Team::wait_for_change(const std::atomic<std::uint32_t>& counter, std::uint32_t old) const {
  for (int i = 0; i < spins; ++i) {
    if (counter.load(std::memory_order_acquire) != old) return;
    pause();
  }
  counter.wait(old, std::memory_order_acquire);
}

void Team::work_as(std::size_t thread) {
  try {
    (*work_)(thread);
  } catch (const Broken&) {
    // Another thread failed and has said so.
  } catch (...) {
    {
      const std::lock_guard lock(failure_lock_);
      if (!failure_) failure_ = std::current_exception();
    }
    broken_ = true;
    ++passed_;
    passed_.notify_all();
  }
}

// `seen`: the runs there were before this thread.
void Team::serve(std::size_t thread, std::uint32_t seen) {
  for (;;) {
    wait_for_change(runs_, seen);
    if (leaving_) return;
    ++seen;
    if (thread < at_work_) work_as(thread);
    finished_.fetch_add(1, std::memory_order_acq_rel);
    finished_.notify_one();
  }
}

std::size_t Team::at_most(std::size_t wanted) {
  try {
    for (std::size_t t = workers_.size() + 1; t < wanted; ++t) {
      workers_.emplace_back([this, t, seen = runs_.load()] { serve(t, seen); });
    }
  } catch (const std::system_error&) {
    // A limit on processes or memory: those that there are will do.
  }
  return std::min(wanted, workers_.size() + 1);
}

void Team::run(std::size_t threads, const std::function<void(std::size_t)>& work) {
  work_ = &work;
  at_work_ = threads;
  arrived_ = 0;
  finished_ = 0;
  broken_ = false;
  failure_ = nullptr;
  if (threads > 1) {
    runs_.fetch_add(1, std::memory_order_acq_rel);
    runs_.notify_all();
  }
  work_as(0);
  const auto others = static_cast<std::uint32_t>(threads > 1 ? workers_.size() : 0);
  for (std::uint32_t done = finished_; done != others; done = finished_) wait_for_change(finished_, done);
  if (failure_) std::rethrow_exception(failure_);
}

void Team::barrier() {
  if (at_work_ == 1) return;
  const std::uint32_t before = passed_.load(std::memory_order_acquire);
  if (broken_) throw Broken{};
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == at_work_) {
    arrived_.store(0, std::memory_order_relaxed);
    passed_.fetch_add(1, std::memory_order_acq_rel);
    passed_.notify_all();
  } else {
    wait_for_change(passed_, before);
  }
  if (broken_) throw Broken{};
}

}  // namespace polyad
