#pragma once
// The shape of a tensor. The number of cells may far exceed 2^64: it is kept exactly where it fits 64 bits,
// and as a double and a base-2 logarithm always. No algorithm needs the exact integer: indices are drawn mode
// by mode.

#include <cstddef>
#include <cstdint>
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

class IndexSpace {
 public:
  /// Checks the rules: 1 to max_modes modes, each extent 1 to max_extent (a data error says which mode breaks
  /// which).
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

}  // namespace polyad
