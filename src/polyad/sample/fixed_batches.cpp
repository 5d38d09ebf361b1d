// Batches that are made once and not drawn again: the one on which the objective is estimated, every observed cell, and a
// look at a few cells.

#include <polyad/base/error.hpp>
#include <polyad/sample/draws/box.hpp>
#include <polyad/sample/draws/dense_draws.hpp>
#include <polyad/sample/draws/listed_draws.hpp>
#include <polyad/sample/draws/zero_draws.hpp>
#include <polyad/sample/samplers.hpp>

#include <algorithm>

namespace polyad {

namespace {

// Of exhaustive batches.
constexpr double max_cells = 0x1p31;

void put_cell(const Index* index, double x, double w, std::size_t slot, Batch& batch) {
  for (std::size_t k = 0; k < batch.modes(); ++k) batch.index[k][slot] = index[k];
  batch.x[slot] = x;
  batch.w[slot] = w;
}

}  // namespace

std::size_t put_every_observed(const DenseTensor& tensor, std::size_t first, Batch& batch) {
  std::uint64_t cell = 0;
  for_each_cell(Box::whole(tensor.space()), [&](const Index* index) {
    if (!tensor.missing(cell)) put_cell(index, tensor.value(cell), tensor.weight(cell), first++, batch);
    ++cell;
  });
  return first;
}

std::size_t put_every_listed(const SparseTensor& tensor, std::size_t first, Batch& batch) {
  for (std::uint64_t r = 0; r < tensor.listed(); ++r) put_records(tensor.records(), {&r, 1}, 1.0, first++, batch);
  return first;
}

std::size_t put_every_zero(const SparseTensor& tensor, std::size_t first, Batch& batch) {
  for_each_cell(Box::whole(tensor.space()), [&](const Index* index) {
    if (tensor.is_listed(index) || tensor.is_missing(index)) return;
    put_cell(index, 0.0, tensor.zero_weight(), first++, batch);
  });
  return first;
}

Batch exhaustive_batch(const Tensor& tensor) {
  check_something_observed(tensor);
  const SparseTensor* sparse = tensor.sparse();
  // Where only listed entries are data, it is they that are walked through, not the space.
  const double walked = sparse != nullptr && !zeros_are_data(*sparse) ? tensor.observed() : tensor.space().cells();
  if (walked > max_cells) {
    fail(ErrorKind::usage, "`sampler exhaustive`: {} cells are more than the {} it can hold; use another sampler",
         format_count(walked), format_count(max_cells));
  }
  Batch batch;
  batch.resize(tensor.space().modes(), static_cast<std::size_t>(tensor.observed()), false);
  if (sparse != nullptr) {
    const std::size_t listed = put_every_listed(*sparse, 0, batch);
    if (zeros_are_data(*sparse)) put_every_zero(*sparse, listed, batch);
  } else {
    put_every_observed(*tensor.dense(), 0, batch);
  }
  return batch;
}

namespace {

Batch sized(std::size_t modes, std::size_t samples) {
  Batch batch;
  batch.resize(modes, samples, false);
  return batch;
}

Batch estimate_dense(const DenseTensor& tensor, std::size_t s, const DrawKey& key) {
  Batch batch = sized(tensor.space().modes(), s);
  DenseDraws(tensor, s).fill(key, 0, batch);
  return batch;
}

/// Two strata; one that is no larger than its share is taken whole, without sampling error, and leaves the
/// rest of its share to the other.
Batch estimate_sparse(const SparseTensor& tensor, std::size_t s, const DrawKey& key) {
  const std::size_t eta = tensor.listed();
  const double zeta = zeros_are_data(tensor) ? tensor.zeros() : 0;
  std::size_t p = s / 2;
  std::size_t q = s - p;
  const bool every_listed = eta <= p;
  const bool every_zero = zeta <= static_cast<double>(q);
  if (every_listed) {
    p = eta;
    q = s - p;
  } else if (every_zero) {
    q = static_cast<std::size_t>(zeta);
    p = s - q;
  }
  if (eta > 0) p = std::max<std::size_t>(p, 1);  // a single sample may be asked for, but both strata need one

  Batch batch = sized(tensor.space().modes(), p + q);
  if (every_listed) {
    put_every_listed(tensor, 0, batch);
  } else {
    ListedDraws(tensor, p).fill(key, 0, batch);
  }
  if (zeta == 0) return batch;
  batch.zeros_from = p;
  if (every_zero) {
    put_every_zero(tensor, p, batch);
  } else {
    ZeroDraws(tensor, Admit::zeros, q).fill(key, p, batch);
  }
  return batch;
}

}  // namespace

Batch estimate_batch(const Tensor& tensor, const SampleOptions& options) {
  check_something_observed(tensor);
  const std::uint64_t s = options.estimate_samples.value_or(default_estimate_samples(tensor));
  if (tensor.observed() <= static_cast<double>(s)) return exhaustive_batch(tensor);
  const RandomStream stream(options.estimate_seed, Purpose::estimate, 0);
  const DrawKey key{stream, 0};
  return tensor.is_sparse() ? estimate_sparse(*tensor.sparse(), s, key) : estimate_dense(*tensor.dense(), s, key);
}

Batch typical_cells(const Tensor& tensor, std::uint64_t cells) {
  SampleOptions options;
  options.estimate_samples = cells;
  return estimate_batch(tensor, options);
}

}  // namespace polyad
