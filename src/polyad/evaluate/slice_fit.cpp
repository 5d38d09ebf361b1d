#include <polyad/evaluate/judged_cells.hpp>

#include <polyad/kernel/batch_objective.hpp>
#include <polyad/model/compare.hpp>

#include <algorithm>

namespace polyad {

namespace {

// Sums over the cells of every slice of m and of f(0, m), by the products of the other modes' column sums or Gram matrices.
struct ClosedForms {
  std::vector<std::vector<double>> model, zero_loss;  // by mode and index
};

std::vector<double> column_sums(const Factors& model, std::size_t mode) {
  std::vector<double> sums(model.rank());
  for (std::size_t i = 0; i < model.rows(mode); ++i) {
    for (std::size_t j = 0; j < model.rank(); ++j) sums[j] += model.at(mode, i, j);
  }
  return sums;
}

/// For each mode the elementwise product of all other modes' vectors.
std::vector<std::vector<double>> products_of_others(const std::vector<std::vector<double>>& parts) {
  std::vector<std::vector<double>> products(parts.size(), std::vector<double>(parts.front().size(), 1.0));
  for (std::size_t k = 0; k < parts.size(); ++k) {
    for (std::size_t l = 0; l < parts.size(); ++l) {
      if (l == k) continue;
      for (std::size_t e = 0; e < parts[l].size(); ++e) products[k][e] *= parts[l][e];
    }
  }
  return products;
}

ClosedForms closed_forms(const Factors& model, ZeroSum form) {
  const std::size_t r = model.rank();
  std::vector<std::vector<double>> sums, grams;
  for (std::size_t k = 0; k < model.modes(); ++k) {
    sums.push_back(column_sums(model, k));
    if (form == ZeroSum::quadratic) grams.push_back(cross_gram(model, model, k));
  }
  const auto other_sums = products_of_others(sums);
  const auto other_grams = grams.empty() ? grams : products_of_others(grams);
  ClosedForms out;
  for (std::size_t k = 0; k < model.modes(); ++k) {
    auto& of_model = out.model.emplace_back(model.rows(k));
    auto& of_loss = out.zero_loss.emplace_back(model.rows(k));
    for (std::size_t i = 0; i < model.rows(k); ++i) {
      const double* row = model.row(k, i);
      for (std::size_t j = 0; j < r; ++j) of_model[i] += row[j] * other_sums[k][j];
      if (form == ZeroSum::linear) {
        of_loss[i] = of_model[i];
        continue;
      }
      for (std::size_t j = 0; j < r; ++j) {
        for (std::size_t l = 0; l < r; ++l) of_loss[i] += row[j] * other_grams[k][j * r + l] * row[l];
      }
    }
  }
  return out;
}

SliceFits empty_slices(const std::vector<std::uint64_t>& extents) {
  SliceFits slices;
  for (const std::uint64_t extent : extents) slices.emplace_back(extent);
  return slices;
}

}  // namespace

bool has_exact_slices(const Tensor& tensor, const Loss& loss) {
  const SparseTensor* sparse = tensor.sparse();
  return sparse != nullptr && sparse->unlisted() == Unlisted::zero && loss.info().zero_sum != ZeroSum::none;
}

SliceFits exact_slices(const SparseTensor& tensor, const Factors& model, const Loss& loss, double null_value,
                       LeastLoss& least) {
  constexpr std::size_t chunk = 1 << 14;
  const std::size_t d = tensor.space().modes();
  const double v = tensor.zero_weight();
  SliceFits slices = empty_slices(model.extents());

  // Zeros first, as if every cell were one; the listed and the missing cells then take theirs back.
  const ClosedForms all = closed_forms(model, loss.info().zero_sum);
  const double null_zero = loss.value(0, null_value), least_zero = least(0);
  for (std::size_t k = 0; k < d; ++k) {
    const double cells = tensor.space().cells() / static_cast<double>(tensor.space().extent(k));
    for (std::size_t i = 0; i < slices[k].size(); ++i) {
      slices[k][i] = {v * all.zero_loss[k][i], v * null_zero * cells, v * least_zero * cells, 0, v * all.model[k][i]};
    }
  }
  const auto take_back = [&](const Records& records, bool with_values) {
    Batch batch;
    std::vector<double> at_zero;
    for (std::size_t first = 0; first < records.size(); first += chunk) {
      const std::size_t count = std::min(chunk, records.size() - first);
      batch.resize(d, count, false);
      for (std::size_t t = 0; t < count; ++t) {
        for (std::size_t k = 0; k < d; ++k) batch.index[k][t] = records.index(first + t)[k];
        batch.x[t] = with_values ? records.value(first + t) : 0.0;
        batch.w[t] = with_values ? records.weight(first + t) : 0.0;
      }
      const std::vector<double> m = model_values(model, batch);
      std::vector<double> f(count), null(count, null_value), best(count);
      const std::vector<double> zeros(count, 0.0);
      at_zero.resize(count);
      loss.values(count, zeros.data(), m.data(), at_zero.data());
      loss.values(count, batch.x.data(), m.data(), f.data());
      loss.values(count, batch.x.data(), null.data(), null.data());
      least.values(count, batch.x.data(), best.data());
      for (std::size_t t = 0; t < count; ++t) {
        const double w = batch.w[t], x = batch.x[t];
        const SliceFit add{w * f[t] - v * at_zero[t], w * null[t] - v * null_zero, w * best[t] - v * least_zero, w * x,
                           (w - v) * m[t]};
        for (std::size_t k = 0; k < d; ++k) {
          SliceFit& slice = slices[k][batch.index[k][t]];
          slice.loss += add.loss;
          slice.null_loss += add.null_loss;
          slice.best_loss += add.best_loss;
          slice.observed += add.observed;
          slice.expected += add.expected;
        }
      }
    }
  };
  take_back(tensor.records(), true);
  take_back(tensor.missing(), false);
  return slices;
}

SliceFits sampled_slices(const Batch& batch, const JudgedCells& cells, const std::vector<std::uint64_t>& extents) {
  SliceFits slices = empty_slices(extents);
  for (std::size_t t = 0; t < batch.size(); ++t) {
    for (std::size_t k = 0; k < extents.size(); ++k) {
      SliceFit& slice = slices[k][batch.index[k][t]];
      const double w = batch.w[t];
      slice.loss += w * cells.loss[t];
      slice.null_loss += w * cells.null_loss[t];
      slice.best_loss += w * cells.best_loss[t];
      slice.observed += w * batch.x[t];
      slice.expected += w * cells.expected[t];
    }
  }
  return slices;
}

}  // namespace polyad
