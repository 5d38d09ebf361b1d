#pragma once
// HDF5's C interface made safe: identifiers that close themselves, errors that throw with the library's own reason instead of
// printing its stack, and files that may not name other files (external links, datasets stored elsewhere, virtual datasets):
// what a file holds must not depend on what else is on the machine.

#include <hdf5.h>

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace polyad {

/// An HDF5 identifier and the function that closes it.
class Hdf5Id {
 public:
  using Close = herr_t (*)(hid_t);

  Hdf5Id() = default;
  Hdf5Id(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Id() {
    if (id_ >= 0) close_(id_);
  }

  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// While one lives, HDF5 prints nothing and belongs to this thread (not every build of the library is
/// thread-safe).
class Hdf5Session {
 public:
  Hdf5Session();
  ~Hdf5Session();
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t handler_ = nullptr;
  void* handler_data_ = nullptr;
};

/// The innermost message of the error stack: what went wrong, without HDF5's own call chain. Empties the
/// stack.
std::string hdf5_reason();

/// For the reading process, before it sees a file: no plugins, no external links.
void prepare_hdf5_for_strangers();

/// A data error that names the object where anything in the file needs another file, or a filter that is not HDF5's own.
/// O(objects in the file).
void refuse_other_files(hid_t file, const std::string& path);

}  // namespace polyad
