#pragma once
// Arrays that are used again. Large ones come from the system as pages that are cleared first, and go back to it at once: for
// tables that are built again and again that took a third of the time of building them.

#include <polyad/detail/aligned.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace polyad {

/// Make it by std::make_shared; several threads may use one. It keeps as many arrays as were ever in use at the same time.
template <class T>
class Recycler : public std::enable_shared_from_this<Recycler<T>> {
 public:
  using Array = AlignedVector<T>;

  /// An array of n elements, whatever they are. It comes back here when the last owner lets go of it.
  std::shared_ptr<Array> take(std::size_t n) {
    std::unique_ptr<Array> array = spare(n);
    array->resize(n);
    return {array.release(), [home = this->shared_from_this()](Array* used) { home->give(used); }};
  }

 private:
  /// The smallest that suffices, otherwise the largest.
  std::unique_ptr<Array> spare(std::size_t n) {
    const std::lock_guard lock(mutex_);
    if (spares_.empty()) return std::make_unique<Array>();
    const auto fits = [n](const std::unique_ptr<Array>& a) { return a->capacity() >= n; };
    const auto smaller = [&](const auto& a, const auto& b) {
      return fits(a) != fits(b) ? fits(a) : (a->capacity() < b->capacity()) == fits(a);
    };
    const auto best = std::min_element(spares_.begin(), spares_.end(), smaller);
    std::unique_ptr<Array> found = std::move(*best);
    spares_.erase(best);
    return found;
  }
  void give(Array* used) {
    std::unique_ptr<Array> array(used);
    const std::lock_guard lock(mutex_);
    spares_.push_back(std::move(array));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Array>> spares_;
};

}  // namespace polyad
