#pragma once
// What `auto` means for numbers of samples: all in one place, because these are chosen by measurement.

#include <polyad/sample/sampler.hpp>

#include <cstdint>

namespace polyad {

/// Entries per iteration: the paper recommends the sum of the extents; bounded below (a batch costs little more than the
/// step it feeds) and above, not much larger than the data, and of sparse data at most an eighth of the nonzeros: of few
/// nonzeros in long modes more samples show nothing new (docs/design/0003-defaults.md).
std::uint64_t default_samples(const Tensor& tensor);
/// How many of `samples` are listed entries for a sampler that divides them (Sec. 4: half); all, where there
/// are no zeros to draw or zeros are summed exactly; none, where nothing is listed.
std::uint64_t default_nonzero_samples(SamplerKind kind, const SparseTensor& tensor, std::uint64_t samples);
std::uint64_t default_estimate_samples(const Tensor& tensor);

}  // namespace polyad
