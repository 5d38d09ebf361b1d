#include <polyad/kernel/batch.hpp>

namespace polyad {

void Batch::resize(std::size_t modes, std::size_t samples, bool with_w0) {
  index.resize(modes);
  for (AlignedVector<Index>& mode : index) mode.resize(samples);
  x.resize(samples);
  w.resize(samples);
  w0.resize(with_w0 ? samples : 0);
  zeros_from = samples;
}

void append(const Batch& more, Batch& batch) {
  const auto add = [](const auto& from, auto& to) { to.insert(to.end(), from.begin(), from.end()); };
  for (std::size_t k = 0; k < batch.modes(); ++k) add(more.index[k], batch.index[k]);
  add(more.x, batch.x);
  add(more.w, batch.w);
  add(more.w0, batch.w0);
  batch.zeros_from = batch.size();
}

}  // namespace polyad
