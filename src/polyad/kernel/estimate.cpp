#include <polyad/kernel/estimate.hpp>

#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/kernel/blocks.hpp>
#include <polyad/kernel/zero_sum.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace polyad {

namespace {

// Sums of a block's terms: four plain sums side by side, which is a pairwise sum over 64 terms.
double weighted_sum(const double* w, const double* f, std::size_t count) {
  std::array<double, 4> sums{};
  std::size_t t = 0;
  for (; t + 4 <= count; t += 4) {
    for (std::size_t i = 0; i < 4; ++i) sums[i] += w[t + i] * f[t + i];
  }
  for (; t < count; ++t) sums[0] += w[t] * f[t];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class T>
double range_objective(const FactorsOf<T>& model, const Batch& batch, const Loss& loss, std::size_t begin,
                       std::size_t end) {
  using Block = std::array<double, block_samples>;
  constexpr Block zeros{};
  alignas(cache_line) std::array<T, block_samples> model_values;
  alignas(cache_line) Block m;
  alignas(cache_line) Block f;
  const CellRowsOf<T> rows(model, batch);
  const BlockKernels<T> kernels = block_kernels<T>(rows.modes, rows.stride);
  CompensatedSum sum;
  for (std::size_t first = begin; first < end; first += block_samples) {
    const std::size_t count = std::min(block_samples, end - first);
    kernels.model(rows, first, count, model_values.data());
    std::copy_n(model_values.begin(), count, m.begin());
    loss.values(count, batch.x.data() + first, m.data(), f.data());
    sum.add(weighted_sum(batch.w.data() + first, f.data(), count));
    if (batch.w0.empty() || first >= batch.zeros_from) continue;
    loss.values(count, zeros.data(), m.data(), f.data());
    sum.add(weighted_sum(batch.w0.data() + first, f.data(), count));
  }
  return sum.value();
}

// Runs `chunk(number)` for each of `count` fixed chunks and adds their results in order.
template <class Chunk>
double sum_of_chunks(std::size_t count, std::size_t threads, const Chunk& chunk) {
  std::vector<double> parts(count);
  parallel_tasks(count, threads, [&](std::size_t c) { parts[c] = chunk(c); });
  CompensatedSum sum;
  for (const double part : parts) sum.add(part);
  return sum.value();
}

constexpr std::size_t chunk_samples = 1 << 14;

std::size_t chunks_for(std::size_t samples) {
  return (samples + chunk_samples - 1) / chunk_samples;
}

// Cells first .. first+count-1 of a dense tensor as a batch, without those that are missing.
void fill_from_cells(const DenseTensor& tensor, std::uint64_t first, std::size_t count, Batch& batch) {
  const std::size_t d = tensor.space().modes();
  batch.resize(d, count, false);
  std::array<Index, max_modes> index{};
  tensor.index_of(first, {index.data(), d});
  std::size_t kept = 0;
  for (std::size_t t = 0; t < count; ++t) {
    const double x = tensor.value(first + t);
    if (!std::isnan(x)) {
      for (std::size_t k = 0; k < d; ++k) batch.index[k][kept] = index[k];
      batch.x[kept] = x;
      batch.w[kept++] = tensor.weight(first + t);
    }
    for (std::size_t k = d; k-- > 0;) {
      if (++index[k] < tensor.space().extent(k)) break;
      index[k] = 0;
    }
  }
  batch.resize(d, kept, false);
}

double dense_objective(const Factors& model, const DenseTensor& tensor, const Loss& loss, std::size_t threads) {
  return sum_of_chunks(chunks_for(tensor.cells()), threads, [&](std::size_t c) {
    const std::uint64_t first = c * chunk_samples;
    Batch batch;
    fill_from_cells(tensor, first, std::min<std::uint64_t>(chunk_samples, tensor.cells() - first), batch);
    return range_objective(model, batch, loss, 0, batch.size());
  });
}

// Sum over records of w f(x,m) - v f(0,m); `with_values` false leaves out the first term (for missing cells).
double records_objective(const Factors& model, const Records& records, const Loss& loss, double zero_weight,
                         bool with_values, std::size_t threads) {
  return sum_of_chunks(chunks_for(records.size()), threads, [&](std::size_t c) {
    const std::size_t first = c * chunk_samples;
    const std::size_t count = std::min(chunk_samples, records.size() - first);
    Batch batch;
    batch.resize(records.modes(), count, zero_weight != 0);
    for (std::size_t t = 0; t < count; ++t) {
      for (std::size_t k = 0; k < records.modes(); ++k) batch.index[k][t] = records.index(first + t)[k];
      batch.x[t] = with_values ? records.value(first + t) : 0.0;
      batch.w[t] = with_values ? records.weight(first + t) : 0.0;
      if (zero_weight != 0) batch.w0[t] = -zero_weight;
    }
    return range_objective(model, batch, loss, 0, count);
  });
}

// Every cell of a sparse tensor, looked up one by one.
double enumerated_objective(const Factors& model, const SparseTensor& tensor, const Loss& loss, std::size_t threads) {
  const IndexSpace& space = tensor.space();
  const std::uint64_t cells = *space.exact_cells();
  return sum_of_chunks(chunks_for(cells), threads, [&](std::size_t c) {
    const std::uint64_t first = c * chunk_samples;
    const std::size_t count = std::min<std::uint64_t>(chunk_samples, cells - first);
    const std::size_t d = space.modes();
    Batch batch;
    batch.resize(d, count, false);
    std::array<Index, max_modes> index{};
    std::size_t kept = 0;
    for (std::size_t t = 0; t < count; ++t) {
      std::uint64_t rest = first + t;
      for (std::size_t k = d; k-- > 0;) {
        index[k] = static_cast<Index>(rest % space.extent(k));
        rest /= space.extent(k);
      }
      if (tensor.is_missing(index.data())) continue;
      const std::uint32_t record = tensor.find(index.data());
      const bool listed = record != CellSet::absent;
      for (std::size_t k = 0; k < d; ++k) batch.index[k][kept] = index[k];
      batch.x[kept] = listed ? tensor.records().value(record) : 0.0;
      batch.w[kept++] = listed ? tensor.records().weight(record) : tensor.zero_weight();
    }
    batch.resize(d, kept, false);
    return range_objective(model, batch, loss, 0, kept);
  });
}

}  // namespace

template <class T>
double estimate(const FactorsOf<T>& model, const Batch& batch, const Loss& loss, std::size_t threads) {
  const double sampled = sum_of_chunks(chunks_for(batch.size()), threads, [&](std::size_t c) {
    const std::size_t begin = c * chunk_samples;
    return range_objective(model, batch, loss, begin, std::min(begin + chunk_samples, batch.size()));
  });
  return batch.all_cells == 0 ? sampled : sampled + batch.all_cells * zero_sum(model, loss.info().zero_sum);
}

template double estimate(const FactorsOf<double>&, const Batch&, const Loss&, std::size_t);
template double estimate(const FactorsOf<float>&, const Batch&, const Loss&, std::size_t);

std::optional<double> exact_objective(const Factors& model, const Tensor& tensor, const Loss& loss, double max_cells,
                                      std::size_t threads) {
  if (const DenseTensor* dense = tensor.dense()) {
    if (static_cast<double>(dense->cells()) > max_cells) return {};
    return dense_objective(model, *dense, loss, threads);
  }
  const SparseTensor& sparse = *tensor.sparse();
  const double listed = static_cast<double>(sparse.listed());
  const ZeroSum form = loss.info().zero_sum;
  if (sparse.unlisted() == Unlisted::missing) {
    if (listed > max_cells) return {};
    return records_objective(model, sparse.records(), loss, 0.0, true, threads);
  }
  if (form != ZeroSum::none) {
    if (listed + static_cast<double>(sparse.missing_cells()) > max_cells) return {};
    const double v = sparse.zero_weight();
    return v * zero_sum(model, form) + records_objective(model, sparse.records(), loss, v, true, threads) +
           records_objective(model, sparse.missing(), loss, v, false, threads);
  }
  if (!sparse.space().exact_cells() || sparse.space().cells() > max_cells) return {};
  return enumerated_objective(model, sparse, loss, threads);
}

}  // namespace polyad
