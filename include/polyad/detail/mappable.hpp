#pragma once
// An array that is owned, borrowed from somebody else, or lies in a file mapped into memory. Reading is the same for all: a
// pointer. Who changes an array that is not owned gets a copy first; copies of an array that is not owned share its memory.

#include <polyad/detail/aligned.hpp>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>

namespace polyad {

void expect_random_reads(const void* data, std::size_t bytes);  // base/memory.hpp

/// Where memory that is not owned lies.
enum class OutsideMemory { file, caller };

template <class T>
class Mappable {
 public:
  Mappable() = default;
  Mappable(AlignedVector<T> owned) : owned_(std::move(owned)) { look(); }  // NOLINT(google-explicit-constructor)
  Mappable(std::initializer_list<T> values) : Mappable(AlignedVector<T>(values)) {}
  /// `keeper` keeps what `data` points into; it is null only where the caller does so alone.
  Mappable(const T* data, std::size_t size, std::shared_ptr<const void> keeper,
           OutsideMemory where = OutsideMemory::file)
      : keeper_(std::move(keeper)),
        place_(where == OutsideMemory::file ? Place::file : Place::caller),
        data_(data),
        size_(size) {}
  ~Mappable() = default;
  Mappable(const Mappable& other) : owned_(other.owned_), keeper_(other.keeper_), place_(other.place_) {
    look_like(other);
  }
  Mappable(Mappable&& other) noexcept
      : owned_(std::move(other.owned_)), keeper_(std::move(other.keeper_)), place_(other.place_) {
    look_like(other);
    other.forget();
  }
  Mappable& operator=(const Mappable& other) { return *this = Mappable(other); }
  Mappable& operator=(Mappable&& other) noexcept {
    owned_ = std::move(other.owned_);
    keeper_ = std::move(other.keeper_);
    place_ = other.place_;
    look_like(other);
    other.owned_.clear();
    other.forget();
    return *this;
  }

  /// Whether it lies in a mapped file.
  bool mapped() const { return place_ == Place::file; }
  /// Tells the system that a mapped file will be read here and there; nothing where it is memory.
  void expect_random_reads() const {
    if (mapped()) polyad::expect_random_reads(data_, size_ * sizeof(T));
  }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  /// Elements that there is memory of its own for: 0 where it is not owned.
  std::size_t capacity() const { return owned_.capacity(); }

  /// The elements, to be changed one by one. O(size) and that much memory the first time, where it is not owned.
  T* to_change() {
    own();
    return owned_.data();
  }
  /// Lets `body` change the vector, its size too. O(size) the first time, where it is not owned.
  template <class Body>
  void change(Body body) {
    own();
    body(owned_);
    look();
  }

 private:
  enum class Place { owned, file, caller };

  void own() {
    if (place_ == Place::owned) return;
    owned_.assign(begin(), end());
    forget();
  }
  void forget() {
    keeper_.reset();
    place_ = Place::owned;
    look();
  }
  void look() {
    data_ = owned_.data();
    size_ = owned_.size();
  }
  void look_like(const Mappable& other) {
    look();
    if (place_ == Place::owned) return;
    data_ = other.data_;
    size_ = other.size_;
  }

  AlignedVector<T> owned_;
  std::shared_ptr<const void> keeper_;
  Place place_ = Place::owned;
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace polyad
