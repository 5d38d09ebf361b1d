#pragma once
// Cells of a tensor: the space of their indices, and lists of them. Indices count from 0 in code and from 1 in messages.
//
//   polyad::Records sales(3);                                   // three modes
//   sales.append({product, day, shop}, 12);

#include <polyad/detail/mappable.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

/// An index within one mode. Factor matrices are held in memory, so 32 bits are enough for any fit.
using Index = std::uint32_t;

inline constexpr std::size_t max_modes = 16;
/// Of a shape: what a file may declare. Entries beyond max_held_extent are refused.
inline constexpr std::uint64_t max_extent = 0x7fffffffffffffffu;
/// Of a mode whose indices are all held: by an Index, as rows of a factor.
inline constexpr std::uint64_t max_held_extent = 0xffffffffu;

/// The shape of a tensor. The number of cells may far exceed 2^64: it is kept exactly where it fits 64 bits, and as a double and
/// a base-2 logarithm always. No algorithm needs the exact integer: indices are drawn mode by mode.
class IndexSpace {
 public:
  /// Checks the rules: 1 to max_modes modes, each extent from 1 to max_extent (a data error says which mode breaks which).
  explicit IndexSpace(std::vector<std::uint64_t> extents);

  std::size_t modes() const { return extents_.size(); }
  std::uint64_t extent(std::size_t mode) const { return extents_[mode]; }
  std::span<const std::uint64_t> extents() const { return extents_; }
  std::uint64_t sum_of_extents() const;  ///< 2^64 - 1 where it is larger

  double cells() const { return cells_; }            ///< omega, rounded to double
  double log2_cells() const { return log2_cells_; }  ///< log2(omega), finite however large the space
  std::optional<std::uint64_t> exact_cells() const { return exact_cells_; }

  bool contains(std::span<const Index> index) const;
  std::string to_string() const;  ///< "6186 x 24 x 77 x 32"

  friend bool operator==(const IndexSpace& a, const IndexSpace& b) { return a.extents_ == b.extents_; }

 private:
  std::vector<std::uint64_t> extents_;
  double cells_ = 1;
  double log2_cells_ = 0;
  std::optional<std::uint64_t> exact_cells_ = 1;
};

/// "(3, 1, 7)": a cell as people write it, indices counted from 1.
std::string cell_text(std::span<const Index> index);

/// Reads "200x150x100" (also with commas or spaces between); a usage error says what is wrong.
IndexSpace parse_shape(std::string_view text);

/// Listed cells, each with its indices, its value and (where there are weights) its weight side by side, so that drawing one
/// touches one cache line instead of one per mode.
///
///   word 0 .. d-1      indices (32 bits per mode)
///   padded to even     so that what follows is 8-byte aligned
///   2 words            value, a double
///   2 words            weight, a double (only where weighted)
class Records {
 public:
  /// A data error where `modes` is not from 1 to max_modes.
  explicit Records(std::size_t modes = 1, bool weighted = false);
  /// `size` records as they lie in a mapped file (the layout above), which `mapping` keeps. Who changes them gets a copy.
  static Records in_file(std::size_t modes, bool weighted, std::size_t size, const std::uint32_t* words,
                         std::shared_ptr<const void> mapping);
  /// `size` records of zeros, to be assigned or filled as raw words.
  static Records blank(std::size_t modes, bool weighted, std::size_t size);

  std::size_t modes() const { return modes_; }
  bool weighted() const { return weighted_; }
  std::size_t size() const { return size_; }
  /// Bytes per record.
  std::size_t record_bytes() const { return stride_ * sizeof(std::uint32_t); }

  const Index* index(std::size_t record) const { return words_.data() + record * stride_; }
  std::span<const Index> cell(std::size_t record) const { return {index(record), modes_}; }
  double value(std::size_t record) const { return load(record, value_at_); }
  double weight(std::size_t record) const { return weighted_ ? load(record, value_at_ + 2) : 1.0; }
  /// All of them, as they lie in memory.
  const std::uint32_t* words() const { return words_.data(); }
  bool mapped() const { return words_.mapped(); }
  void expect_random_reads() const { words_.expect_random_reads(); }
  /// Where a record's value lies, in words; its weight follows two words later.
  std::size_t value_word() const { return value_at_; }

  Index* index_to_change(std::size_t record) { return words_.to_change() + record * stride_; }
  std::uint32_t* words_to_change() { return words_.to_change(); }
  void set_value(std::size_t record, double value) { store(record, value_at_, value); }
  void set_weight(std::size_t record, double weight) { store(record, value_at_ + 2, weight); }

  void reserve(std::size_t records) {
    words_.change([&](auto& words) { words.reserve(records * stride_); });
  }
  std::size_t capacity() const { return words_.capacity() / stride_; }
  /// The weight is kept only where the records are weighted. `index` may point into these records.
  void append(const Index* index, double value, double weight = 1.0);
  /// A usage error where there are not as many indices as modes.
  void append(std::initializer_list<Index> index, double value, double weight = 1.0);
  /// Appends all records of `other`, which has the same modes and is weighted or not like these.
  void append(const Records& other);
  /// Moves record `from` over record `to` (to compact the list).
  void move(std::size_t from, std::size_t to);
  /// Overwrites record `to` by record `from` of `other`, which has the same modes and is weighted or not like these.
  void assign(std::size_t to, const Records& other, std::size_t from) {
    // Two words at a time, of which there is an even number: records are too short for a call.
    std::uint32_t* const out = words_.to_change() + to * stride_;
    for (std::size_t i = 0; i < stride_; i += 2) std::memcpy(out + i, other.words_.data() + from * stride_ + i, 8);
  }
  /// Forgets all, but keeps the memory for others.
  void clear();
  /// Forgets all but the first `records`; memory is given back where over half of it fell idle.
  void truncate(std::size_t records);
  /// As many records, of as many modes and weighted or not like these, to be assigned.
  Records blank_copy() const { return blank(modes_, weighted_, size_); }
  /// The same records with room for a weight each, all 1.
  Records with_weights() const;

 private:
  double load(std::size_t record, std::size_t at) const {
    double v;
    std::memcpy(&v, words_.data() + record * stride_ + at, sizeof v);
    return v;
  }
  void store(std::size_t record, std::size_t at, double v) {
    std::memcpy(words_.to_change() + record * stride_ + at, &v, sizeof v);
  }

  std::size_t modes_;
  std::size_t value_at_;
  std::size_t stride_;
  bool weighted_;
  std::size_t size_ = 0;
  Mappable<std::uint32_t> words_;
};

}  // namespace polyad
