#include <polyad/sample/index_drawer.hpp>

#include <array>

namespace polyad {

IndexDrawer::IndexDrawer(const Box& box) {
  std::uint32_t word = 0;
  for (std::size_t k = 0; k < box.modes(); ++k) {
    modes_.push_back({box.low[k], box.extent[k], word});
    word += box.extent[k] <= one_word_extent ? 1 : 2;
  }
  blocks_ = (word + 3) / 4;
}

void IndexDrawer::draw(const DrawKey& key, std::size_t sample, std::uint32_t attempt, Index* index) const {
  std::array<std::uint32_t, 2 * max_modes> words;
  for (std::uint32_t b = 0; b < blocks_; ++b) {
    const RandomStream::Words block =
        key.stream.words(key.draw, 0, static_cast<std::uint32_t>(sample), attempt * blocks_ + b);
    for (std::size_t i = 0; i < block.size(); ++i) words[4 * b + i] = block[i];
  }
  for (std::size_t k = 0; k < modes_.size(); ++k) {
    const Mode& mode = modes_[k];
    const std::uint64_t offset = mode.extent <= one_word_extent
                                     ? bounded32(words[mode.word], static_cast<std::uint32_t>(mode.extent))
                                     : bounded64(words[mode.word], words[mode.word + 1], mode.extent);
    index[k] = static_cast<Index>(mode.low + offset);
  }
}

void IndexDrawer::draw(const DrawKey& key, Slots slots, std::uint64_t begin, std::size_t n, Batch& batch,
                       std::size_t at) const {
  std::array<Index, max_modes> index{};
  std::size_t slot = begin % slots.count;
  std::uint32_t attempt = static_cast<std::uint32_t>(begin / slots.count);
  for (std::size_t c = 0; c < n; ++c) {
    draw(key, slots.first + slot, attempt, index.data());
    for (std::size_t k = 0; k < modes_.size(); ++k) batch.index[k][at + c] = index[k];
    if (++slot == slots.count) {
      slot = 0;
      ++attempt;
    }
  }
}

}  // namespace polyad
