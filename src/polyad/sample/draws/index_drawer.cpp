#include <polyad/sample/draws/index_drawer.hpp>

#include <algorithm>
#include <array>

namespace polyad {

IndexDrawer::IndexDrawer(const Box& box) {
  std::uint32_t word = 0;
  for (std::size_t k = 0; k < box.modes(); ++k) {
    const bool two_words = box.extent[k] > one_word_extent;
    modes_.push_back({box.low[k], static_cast<std::uint32_t>(box.extent[k]), word, two_words});
    word += two_words ? 2 : 1;
  }
  blocks_ = (word + 3) / 4;
}

void IndexDrawer::draw(const DrawKey& key, std::size_t sample, std::uint32_t attempt, Index* index) const {
  std::array<Index*, max_modes> out{};
  for (std::size_t k = 0; k < modes_.size(); ++k) out[k] = index + k;
  const detail::DrawnRange range{key.draw, key.part, static_cast<std::uint32_t>(sample), attempt * blocks_, blocks_, 1};
  detail::draw_indices(key.stream, range, modes_, out.data());
}

void IndexDrawer::draw(const DrawKey& key, Slots slots, std::uint64_t begin, std::size_t n, Batch& batch,
                       std::size_t at) const {
  std::array<Index*, max_modes> out{};
  // Candidates of one attempt are samples in a row.
  for (std::size_t done = 0; done < n;) {
    const std::size_t slot = (begin + done) % slots.count;
    const auto attempt = static_cast<std::uint32_t>((begin + done) / slots.count);
    const std::size_t count = std::min(n - done, slots.count - slot);
    for (std::size_t k = 0; k < modes_.size(); ++k) out[k] = batch.index[k].data() + at + done;
    const detail::DrawnRange range{key.draw,          key.part, static_cast<std::uint32_t>(slots.first + slot),
                                   attempt * blocks_, blocks_,  count};
    detail::draw_indices(key.stream, range, modes_, out.data());
    done += count;
  }
}

void draw_numbers(const DrawKey& key, std::size_t first, std::size_t count, std::uint64_t n, std::uint64_t* out) {
  if (n > max_held_extent) {
    for (std::size_t t = 0; t < count; ++t) {
      const RandomStream::Words word = key.stream.words(key.draw, key.part, static_cast<std::uint32_t>(first + t), 0);
      out[t] = bounded64(word[0], word[1], n);
    }
    return;
  }
  const std::array<detail::DrawnMode, 1> number = {{{0, static_cast<std::uint32_t>(n), 0, n > one_word_extent}}};
  constexpr std::size_t block = 64;
  std::array<Index, block> drawn;
  Index* const into = drawn.data();
  for (std::size_t done = 0; done < count; done += block) {
    const std::size_t here = std::min(block, count - done);
    const detail::DrawnRange range{key.draw, key.part, static_cast<std::uint32_t>(first + done), 0, 1, here};
    detail::draw_indices(key.stream, range, number, &into);
    std::copy_n(into, here, out + done);
  }
}

}  // namespace polyad
