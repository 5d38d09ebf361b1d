#pragma once
// An array that is either owned or lies in a file mapped into memory. Reading is the same for both: a pointer. Whoever changes
// a mapped one gets a copy of his own first; copies of a mapped one share the mapping.

#include <polyad/base/aligned.hpp>
#include <polyad/base/memory.hpp>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>

namespace polyad {

template <class T>
class Mappable {
 public:
  Mappable() = default;
  Mappable(AlignedVector<T> owned) : owned_(std::move(owned)) { look(); }  // NOLINT(google-explicit-constructor)
  Mappable(std::initializer_list<T> values) : Mappable(AlignedVector<T>(values)) {}
  /// `mapping` keeps what `data` points into.
  Mappable(const T* data, std::size_t size, std::shared_ptr<const void> mapping)
      : mapping_(std::move(mapping)), data_(data), size_(size) {}
  ~Mappable() = default;
  Mappable(const Mappable& other) : owned_(other.owned_), mapping_(other.mapping_) { look_like(other); }
  Mappable(Mappable&& other) noexcept : owned_(std::move(other.owned_)), mapping_(std::move(other.mapping_)) {
    look_like(other);
    other.look();
  }
  Mappable& operator=(const Mappable& other) { return *this = Mappable(other); }
  Mappable& operator=(Mappable&& other) noexcept {
    owned_ = std::move(other.owned_);
    mapping_ = std::move(other.mapping_);
    look_like(other);
    other.owned_.clear();
    other.look();
    return *this;
  }

  bool mapped() const { return mapping_ != nullptr; }
  /// See base/memory.hpp; nothing where the elements are owned.
  void expect_random_reads() const {
    if (mapped()) polyad::expect_random_reads(data_, size_ * sizeof(T));
  }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  /// Elements that there is memory of its own for: 0 where it is mapped.
  std::size_t capacity() const { return owned_.capacity(); }

  /// The elements, to be changed one by one. O(size) and that much memory the first time, where it is mapped.
  T* to_change() {
    own();
    return owned_.data();
  }
  /// Lets `body` change the vector, its size too. O(size) the first time, where it is mapped.
  template <class Body>
  void change(Body body) {
    own();
    body(owned_);
    look();
  }

 private:
  void own() {
    if (mapping_ == nullptr) return;
    owned_.assign(begin(), end());
    mapping_.reset();
    look();
  }
  void look() {
    data_ = owned_.data();
    size_ = owned_.size();
  }
  void look_like(const Mappable& other) {
    look();
    if (mapping_ == nullptr) return;
    data_ = other.data_;
    size_ = other.size_;
  }

  AlignedVector<T> owned_;
  std::shared_ptr<const void> mapping_;
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace polyad
