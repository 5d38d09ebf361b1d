#include <polyad/kernel/exact_objective.hpp>

#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/kernel/batch_objective.hpp>
#include <polyad/kernel/zero_sum.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace polyad {

namespace {

// Calls fill(first, count, batch) for fixed chunks of `cells` cells and sums the objectives of these batches in order.
template <class Fill>
double sum_over_chunks(const Factors& model, const Loss& loss, std::uint64_t cells, std::size_t threads,
                       const Fill& fill) {
  std::vector<double> chunks((cells + chunk_samples - 1) / chunk_samples);
  parallel_tasks(chunks.size(), threads, [&](std::size_t c) {
    const std::uint64_t first = std::uint64_t{c} * chunk_samples;
    Batch batch;
    fill(first, static_cast<std::size_t>(std::min<std::uint64_t>(chunk_samples, cells - first)), batch);
    chunks[c] = estimate(model, batch, loss);
  });
  CompensatedSum sum;
  for (const double chunk : chunks) sum.add(chunk);
  return sum.value();
}

// Cells first .. first+count-1 in C order, without those that are missing.
void fill_from_every_cell(const CellSource& source, const IndexSpace& space, std::uint64_t first, std::size_t count,
                          Batch& batch) {
  const std::size_t d = space.modes();
  std::vector<double> x(count);
  std::vector<double> w(count);
  const CellRun run = source.run(first, count, x.data(), w.data());
  batch.resize(d, count, false);
  std::array<Index, max_modes> index{};
  std::uint64_t rest = first;
  for (std::size_t k = d; k-- > 0;) {
    index[k] = static_cast<Index>(rest % space.extent(k));
    rest /= space.extent(k);
  }
  std::size_t kept = 0;
  for (std::size_t t = 0; t < count; ++t) {
    const double weight = run.w == nullptr ? 1.0 : run.w[t];
    if (weight > 0) {
      for (std::size_t k = 0; k < d; ++k) batch.index[k][kept] = index[k];
      batch.x[kept] = run.x[t];
      batch.w[kept++] = weight;
    }
    for (std::size_t k = d; k-- > 0;) {
      if (++index[k] < space.extent(k)) break;
      index[k] = 0;
    }
  }
  batch.resize(d, kept, false);
}

double every_cell_objective(const Factors& model, const Tensor& tensor, const Loss& loss, std::size_t threads) {
  const std::unique_ptr<CellSource> source = make_cell_source(tensor);
  return sum_over_chunks(model, loss, *tensor.space().exact_cells(), threads,
                         [&](std::uint64_t first, std::size_t count, Batch& batch) {
                           fill_from_every_cell(*source, tensor.space(), first, count, batch);
                         });
}

// Sum over records of w f(x,m) - v f(0,m); `with_values` false leaves out the first term (for missing cells).
double records_objective(const Factors& model, const Records& records, const Loss& loss, double zero_weight,
                         bool with_values, std::size_t threads) {
  const auto fill = [&](std::uint64_t first, std::size_t count, Batch& batch) {
    batch.resize(records.modes(), count, zero_weight != 0);
    for (std::size_t t = 0; t < count; ++t) {
      for (std::size_t k = 0; k < records.modes(); ++k) batch.index[k][t] = records.index(first + t)[k];
      batch.x[t] = with_values ? records.value(first + t) : 0.0;
      batch.w[t] = with_values ? records.weight(first + t) : 0.0;
      if (zero_weight != 0) batch.w0[t] = -zero_weight;
    }
  };
  return sum_over_chunks(model, loss, records.size(), threads, fill);
}

}  // namespace

bool listed_cells_suffice(const Tensor& tensor, const Loss& loss) {
  const SparseTensor* sparse = tensor.sparse();
  return sparse != nullptr && (sparse->unlisted() == Unlisted::missing || loss.info().zero_sum != ZeroSum::none);
}

std::optional<double> exact_objective(const Factors& model, const Tensor& tensor, const Loss& loss, double max_cells,
                                      std::size_t threads) {
  if (!listed_cells_suffice(tensor, loss)) {
    if (!tensor.space().exact_cells() || tensor.space().cells() > max_cells) return {};
    return every_cell_objective(model, tensor, loss, threads);
  }
  const SparseTensor& sparse = *tensor.sparse();
  const bool zeros = sparse.unlisted() == Unlisted::zero;
  if (static_cast<double>(sparse.listed() + (zeros ? sparse.missing_cells() : 0)) > max_cells) return {};
  if (!zeros) return records_objective(model, sparse.records(), loss, 0.0, true, threads);
  const double v = sparse.zero_weight();
  return v * zero_sum(model, loss.info().zero_sum) +
         records_objective(model, sparse.records(), loss, v, true, threads) +
         records_objective(model, sparse.missing(), loss, v, false, threads);
}

}  // namespace polyad
