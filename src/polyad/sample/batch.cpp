#include <polyad/sample/batch.hpp>

namespace polyad {

void Batch::resize(std::size_t modes, std::size_t samples, bool with_w0) {
  index.resize(modes);
  for (AlignedVector<Index>& mode : index) mode.resize(samples);
  x.resize(samples);
  w.resize(samples);
  w0.resize(with_w0 ? samples : 0);
}

}  // namespace polyad
