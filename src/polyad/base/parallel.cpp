#include <polyad/base/parallel.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace polyad {

std::size_t thread_count(std::size_t requested) {
  return requested > 0 ? requested : std::max(1u, std::thread::hardware_concurrency());
}

void parallel_tasks(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& task) {
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  const auto work = [&] {
    while (!failed) {
      const std::size_t mine = next++;
      if (mine >= count) return;
      try {
        task(mine);
      } catch (...) {
        failures[mine] = std::current_exception();
        failed = true;
      }
    }
  };
  {
    std::vector<std::jthread> team;
    try {
      for (std::size_t t = 1; t < std::min(threads, count); ++t) team.emplace_back(work);
    } catch (const std::system_error&) {
      // A limit on processes or memory: those that there are will do.
    }
    work();
  }
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace polyad
