#include <polyad/tensor/facts.hpp>
#include <polyad/tensor/tensor.hpp>

#include <bit>

namespace polyad {
namespace {

// Both halves of a 128-bit product, folded, over one 64-bit word after the other.
class Mixer {
 public:
  void add(std::uint64_t word) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(state_ ^ word) * 0x9e3779b97f4a7c15u + 0xd1b54a32d192ed03u;
    state_ = std::rotl(static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64), 23);
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3u;
};

void add_records(Mixer& mixer, const Records& records) {
  mixer.add(std::uint64_t{records.size()});
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (const Index index : records.cell(i)) mixer.add(std::uint64_t{index});
    mixer.add(records.value(i));
    if (records.weighted()) mixer.add(records.weight(i));
  }
}

}  // namespace

std::uint64_t fingerprint(const Tensor& tensor) {
  if (tensor.facts() != nullptr) return tensor.facts()->fingerprint;
  Mixer mixer;
  for (const std::uint64_t extent : tensor.space().extents()) mixer.add(extent);
  if (const SparseTensor* sparse = tensor.sparse()) {
    mixer.add(static_cast<std::uint64_t>(sparse->unlisted()));
    mixer.add(sparse->zero_weight());
    add_records(mixer, sparse->records());
    add_records(mixer, sparse->missing());
  } else {
    const DenseTensor& dense = *tensor.dense();
    for (const double value : dense.values()) mixer.add(value);
    if (dense.weighted()) {
      for (std::uint64_t cell = 0; cell < dense.cells(); ++cell) mixer.add(dense.weight(cell));
    }
  }
  return mixer.value();
}

}  // namespace polyad
