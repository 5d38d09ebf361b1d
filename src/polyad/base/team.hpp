#pragma once
// A few threads that work on one thing together, in steps: every thread does its share, all meet at a barrier, and go on.
// Made once and kept, because an iteration of a fit takes some ten microseconds and starting a thread takes as long.
//
// Who waits spins for a moment and then sleeps: between threads that run side by side a barrier costs well under a
// microsecond, and on a machine that is busy with something else a waiting thread gives its core away.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace polyad {

class Team {
 public:
  Team() = default;
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// How many of `wanted` threads there can be, the caller among them: fewer where the system gives no more. They are started
  /// here, at their first use.
  std::size_t at_most(std::size_t wanted);
  /// Runs work(0) .. work(threads-1) at the same time, the first by the caller, and waits for all. No more threads than
  /// at_most() has stated. If one throws, the others end at their next barrier and the exception is rethrown here.
  void run(std::size_t threads, const std::function<void(std::size_t)>& work);
  /// Within `run`: waits until every thread at work has come here.
  void barrier();

 private:
  struct Broken {};
  void serve(std::size_t thread, std::uint32_t seen);
  void work_as(std::size_t thread);
  void wait_for_change(const std::atomic<std::uint32_t>& counter, std::uint32_t old) const;

  std::vector<std::jthread> workers_;
  std::size_t at_work_ = 1;  ///< threads of the run under way
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::atomic<std::uint32_t> runs_ = 0;     ///< how many times `run` was called
  std::atomic<std::uint32_t> arrived_ = 0;  ///< at the barrier under way
  std::atomic<std::uint32_t> passed_ = 0;   ///< barriers that everyone has passed
  std::atomic<std::uint32_t> finished_ = 0;
  std::atomic<bool> broken_ = false;
  std::atomic<bool> leaving_ = false;
  std::mutex failure_lock_;
  std::exception_ptr failure_;
};

}  // namespace polyad
