#pragma once
// Runs independent tasks on a few threads. What a task computes may depend on its number only, never on the thread
// that happens to run it: this is how results stay the same for any number of threads.

#include <cstddef>
#include <functional>

namespace polyad {

/// The number of threads meant by a request: 0 means one per core.
std::size_t thread_count(std::size_t requested);

/// Calls task(0) .. task(count-1), at most `threads` at a time. The first exception (by task number) is rethrown after
/// all running tasks have ended; tasks not yet begun are then left out.
void parallel_tasks(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& task);

}  // namespace polyad
