#pragma once
// A sampler that is slightly wrong, to see whether the checks find it.

#include <polyad/sample/sampler.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace polyad::test {

/// Another sampler's batches, spoilt.
class Spoilt final : public Sampler {
 public:
  using Spoil = std::function<void(Batch&)>;
  Spoilt(std::unique_ptr<Sampler> sound, Spoil spoil) : sound_(std::move(sound)), spoil_(std::move(spoil)) {}
  const Partition& partition() const override { return sound_->partition(); }
  double all_cells() const override { return sound_->all_cells(); }
  void draw_part(const RandomStream& stream, std::uint64_t draw, std::size_t part, Batch& batch) const override {
    sound_->draw_part(stream, draw, part, batch);
    spoil_(batch);
  }
  std::string describe() const override { return sound_->describe(); }

 private:
  std::unique_ptr<Sampler> sound_;
  Spoil spoil_;
};

}  // namespace polyad::test
