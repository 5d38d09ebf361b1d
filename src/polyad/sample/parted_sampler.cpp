#include <polyad/sample/parted_sampler.hpp>

#include <numeric>

namespace polyad {

std::size_t count_of(const Draws& draws) {
  return std::visit([](const auto& d) { return d.count(); }, draws);
}

namespace {

class PartedSampler final : public Sampler {
 public:
  PartedSampler(SamplerKind kind, PartedDraws draws) : kind_(kind), draws_(std::move(draws)) {
    for (const auto& part : draws_.parts) {
      Sizes sizes;
      for (const Draws& stratum : part) {
        sizes.samples += count_of(stratum);
        if (!std::holds_alternative<ZeroDraws>(stratum)) sizes.zeros_from = sizes.samples;
      }
      sizes_.push_back(sizes);
    }
  }

  const Partition& partition() const override { return draws_.partition; }
  double all_cells() const override { return draws_.all_cells; }
  SamplerKind kind() const override { return kind_; }
  std::string describe() const override { return draws_.description; }

  void draw_part(const RandomStream& stream, std::uint64_t draw, std::size_t part, Batch& batch) const override {
    batch.resize(draws_.modes, sizes_[part].samples, draws_.with_w0);
    batch.all_cells = 0;
    batch.zeros_from = sizes_[part].zeros_from;
    const DrawKey key{stream, draw, static_cast<std::uint32_t>(part)};
    std::size_t first = 0;
    for (const Draws& stratum : draws_.parts[part]) {
      std::visit([&](const auto& draws) { draws.fill(key, first, batch); }, stratum);
      first += count_of(stratum);
    }
  }

 private:
  struct Sizes {
    std::size_t samples = 0;
    std::size_t zeros_from = 0;
  };

  SamplerKind kind_;
  PartedDraws draws_;
  std::vector<Sizes> sizes_;
};

}  // namespace

std::unique_ptr<Sampler> make_parted(SamplerKind kind, PartedDraws draws) {
  return std::make_unique<PartedSampler>(kind, std::move(draws));
}

}  // namespace polyad
