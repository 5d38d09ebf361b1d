#include <polyad/fit/holdout_rule.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>

#include <algorithm>
#include <string_view>

namespace polyad {

namespace {

constexpr double most_share = 0.9;

// The finisher of splitmix64: every bit of the input reaches every bit of the result.
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

template <class T>
T number(std::string_view text) {
  T value{};
  parse_value(option_name("holdout"), text, value);
  return value;
}

std::string_view take_item(std::string_view& text) {
  const std::size_t comma = text.find(',');
  const std::string_view item = text.substr(0, comma);
  text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  return item;
}

}  // namespace

HoldoutRule::HoldoutRule(const std::string& text, std::uint64_t seed, const IndexSpace& space, const Labels& labels)
    : seed_(mixed(seed + 0x9e3779b97f4a7c15u)), modes_(space.modes()) {
  constexpr std::string_view blocks = "blocks:";
  if (text.starts_with(blocks)) {
    parse_blocks(std::string_view(text).substr(blocks.size()), space, labels);
    return;
  }
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string::npos) {
    fail(ErrorKind::usage,
         "`holdout`: '{}' is neither a share of all cells, such as 0.1, nor blocks of a mode, such as 'blocks:day=7'",
         text);
  }
  set_share(text, number<double>(text));
}

void HoldoutRule::set_share(const std::string& where, double share) {
  if (!(share > 0 && share <= most_share)) {
    fail(ErrorKind::usage, "`holdout`: '{}' asks for a share that is not above 0 and at most {}; 0.1 is usual", where,
         most_share);
  }
  share_ = share;
}

void HoldoutRule::parse_blocks(std::string_view text, const IndexSpace& space, const Labels& labels) {
  const std::string whole = "blocks:" + std::string(text);
  const std::string_view first = take_item(text);
  const std::size_t equals = first.rfind('=');
  if (equals == std::string_view::npos || equals == 0) {
    fail(ErrorKind::usage, "`holdout`: '{}' does not name a mode and a length; write 'blocks:MODE=LENGTH'", whole);
  }
  Blocks blocks{};
  blocks.mode = labels.find_mode(first.substr(0, equals));
  blocks.length = number<std::uint64_t>(first.substr(equals + 1));
  const std::uint64_t extent = space.extent(blocks.mode);
  if (blocks.length < 1 || 2 * blocks.length > extent) {
    fail(ErrorKind::usage,
         "`holdout`: blocks of {} do not fit twice into mode {}, which has {} indices; give a length from 1 to {}",
         blocks.length, labels.mode_name(blocks.mode), extent, extent / 2);
  }
  blocks.last_run = (extent - 1) / blocks.length;
  blocks.margin = (blocks.length + 1) / 2;
  while (!text.empty()) {
    const std::string_view item = take_item(text);
    if (item.starts_with("share=")) {
      set_share(whole, number<double>(item.substr(6)));
    } else if (item.starts_with("margin=")) {
      blocks.margin = number<std::uint64_t>(item.substr(7));
    } else {
      fail(ErrorKind::usage, "`holdout`: '{}' in '{}' is neither share=NUMBER nor margin=COUNT", item, whole);
    }
  }
  if (blocks.margin > blocks.length) {
    fail(ErrorKind::usage, "`holdout`: a margin of {} is longer than a block of {}; give longer blocks", blocks.margin,
         blocks.length);
  }
  blocks_ = blocks;
}

std::uint64_t HoldoutRule::hash(const Index* index, std::uint64_t run) const {
  std::uint64_t h = seed_;
  for (std::size_t k = 0; k < modes_; ++k) {
    const std::uint64_t i = blocks_ && k == blocks_->mode ? run : index[k];
    h = mixed(h + 0x9e3779b97f4a7c15u * (i + 1));
  }
  return h;
}

CellRole HoldoutRule::role(const Index* index) const {
  if (!blocks_) return chosen(hash(index, 0)) ? CellRole::held_out : CellRole::training;
  const std::uint64_t i = index[blocks_->mode];
  const std::uint64_t run = i / blocks_->length;
  if (chosen(hash(index, run))) return CellRole::held_out;
  const std::uint64_t after_start = i - run * blocks_->length;
  const bool near_last = after_start < blocks_->margin && run > 0;
  const bool near_next = blocks_->length - after_start <= blocks_->margin && run < blocks_->last_run;
  if (near_last && chosen(hash(index, run - 1))) return CellRole::margin;
  if (near_next && chosen(hash(index, run + 1))) return CellRole::margin;
  return CellRole::training;
}

double HoldoutRule::unseen_share() const {
  if (!blocks_) return share_;
  const double near = 2 * static_cast<double>(blocks_->margin) / static_cast<double>(blocks_->length);
  return share_ + (1 - share_) * std::min(1.0, share_ * near);
}

std::uint64_t HoldoutRule::unit(const Index* index) const {
  return hash(index, blocks_ ? index[blocks_->mode] / blocks_->length : 0);
}

}  // namespace polyad
