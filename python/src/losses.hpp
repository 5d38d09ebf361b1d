#pragma once
// Losses that are made in Python: functions of NumPy arrays. They run under the interpreter's lock, a block of entries at a time.

#include "module.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>

namespace polyad::python {

/// What a loss made of Python functions leaves behind: the first exception that one of them raised.
struct Trouble {
  std::mutex lock;
  std::exception_ptr first;
  std::atomic<bool> any = false;  ///< functions are not called any more; entries are NaN

  void forget() {
    const std::lock_guard guard(lock);
    first = nullptr;
    any = false;
  }
};

/// A loss, and where its functions' exceptions go (null for losses of the library).
struct LossHandle {
  Loss loss;
  std::shared_ptr<Trouble> trouble;
};

}  // namespace polyad::python
