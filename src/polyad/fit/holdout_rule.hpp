#pragma once
// Which cells are held out: a pure function of a cell's indices and a seed, so that it does not depend on the order of a file, and
// any cell, listed or not, can be asked for. O(modes) per cell.
//
//   share    a cell is held out where hash(seed, cell) < share
//   blocks   an ordered mode (days) is cut into runs of `length` indices; a run of a fibre (all other indices fixed) is held out
//            where hash(seed, run, other indices) < share. Cells within `margin` of a held-out run on the same fibre are used by
//            nobody: a neighbour in time would tell what the held-out cell holds.
//
// In both rules every slice of every mode loses the same share of its cells in expectation.

#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polyad {

enum class CellRole : std::uint8_t { training, held_out, margin };

class HoldoutRule {
 public:
  /// Reads "0.1" or "blocks:MODE=LENGTH[,share=S][,margin=N]"; a usage error says what is wrong.
  HoldoutRule(const std::string& text, std::uint64_t seed, const IndexSpace& space, const Labels& labels);

  CellRole role(const Index* index) const;

  double share() const { return share_; }
  /// The expected share of cells that training does not see: held out, or in a margin.
  double unseen_share() const;
  bool in_blocks() const { return blocks_.has_value(); }
  /// A number that cells of the same held-out run share, and other cells hardly ever do.
  std::uint64_t unit(const Index* index) const;

 private:
  struct Blocks {
    std::size_t mode;
    std::uint64_t length;
    std::uint64_t margin;
    std::uint64_t last_run;
  };

  void parse_blocks(std::string_view text, const IndexSpace& space, const Labels& labels);
  void set_share(const std::string& where, double share);
  /// Of a cell, or of its fibre and a run's number in place of its index in the mode of the blocks.
  std::uint64_t hash(const Index* index, std::uint64_t run) const;
  bool chosen(std::uint64_t hash) const { return static_cast<double>(hash >> 11) * 0x1p-53 < share_; }

  std::uint64_t seed_;
  std::size_t modes_;
  double share_ = 0.1;
  std::optional<Blocks> blocks_;
};

}  // namespace polyad
