#pragma once
// How many of the threads at hand pay at the moment. Threads that meet twice per iteration wait for the slowest: where another
// program keeps one of the cores busy, a team can be many times slower than a single thread. Since the result does not depend
// on the number of threads, the inner loop runs in short stretches, and now and then tries one with half or twice as many.
// The first stretch on another number of threads does not count: threads that slept have to wake up, and caches are cold.

#include <cstddef>
#include <cstdint>

namespace polyad {

class ThreadTuner {
 public:
  /// Threads for the next stretch: `allowed`, or half of it, a quarter, ... , at least 1.
  std::size_t threads(std::size_t allowed);
  /// Iterations of the next stretch: some milliseconds' worth.
  std::uint64_t iterations() const;
  /// What the stretch came to.
  void record(std::uint64_t iterations, double seconds);

 private:
  void begin(std::size_t allowed);
  void choose();

  std::size_t allowed_ = 0;
  unsigned halvings_ = 0;  ///< settled on
  unsigned trying_ = 0;    ///< in the stretch under way
  std::size_t used_ = 0;   ///< threads in it
  bool warming_ = false;   ///< other threads than in the stretch before
  bool try_fewer_ = true;  ///< next
  double cost_ = 0;        ///< seconds per iteration with that number; 0: not known yet
  std::uint64_t interval_ = 0;
  std::uint64_t until_trial_ = 0;
};

}  // namespace polyad
