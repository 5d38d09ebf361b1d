#include <polyad/base/error.hpp>
#include <polyad/base/math.hpp>
#include <polyad/model.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polyad {

namespace {

struct Column {
  Factors& factors;
  std::size_t mode;
  std::size_t component;

  std::size_t size() const { return factors.rows(mode); }
  double& operator[](std::size_t i) const { return factors.at(mode, i, component); }
};

// Entries are measured against the largest, so that squares neither overflow nor vanish.
double norm_of(const Column& column, ColumnNorm kind) {
  double largest = 0;
  double sum = 0;
  for (std::size_t i = 0; i < column.size(); ++i) {
    largest = std::max(largest, std::abs(column[i]));
    sum += std::abs(column[i]);
  }
  if (kind == ColumnNorm::one || sum == 0) return sum;
  double squares = 0;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const double v = column[i] / largest;
    squares += v * v;
  }
  return largest * std::sqrt(squares);
}

// 0 - v instead of -v: zeros stay +0, which prints without a sign.
void negate(const Column& column) {
  for (std::size_t i = 0; i < column.size(); ++i) column[i] = 0 - column[i];
}

void multiply(const Column& column, double factor) {
  for (std::size_t i = 0; i < column.size(); ++i) column[i] *= factor;
}

struct Orientation {
  bool negative = false;  ///< the largest entry by magnitude is negative
  double balance = 0;     ///< largest magnitude of the other sign over the largest of all: 0 one-signed, 1 undecided
};

Orientation orientation_of(const Column& column) {
  double highest = 0;
  double lowest = 0;
  Orientation found;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const double v = column[i];
    // The first of equal magnitudes decides.
    if (v > std::max(highest, -lowest)) found.negative = false;
    if (-v > std::max(highest, -lowest)) found.negative = true;
    highest = std::max(highest, v);
    lowest = std::min(lowest, v);
  }
  const double larger = std::max(highest, -lowest);
  if (larger > 0) found.balance = std::min(highest, -lowest) / larger;
  return found;
}

}  // namespace

void normalize(KTensor& model, ColumnNorm norm, std::optional<std::size_t> into_mode) {
  if (into_mode && *into_mode >= model.modes()) {
    fail(ErrorKind::usage, "normalize: there is no mode {}, the model has {} (modes counted from 1)", *into_mode + 1,
         model.modes());
  }
  for (std::size_t j = 0; j < model.rank(); ++j) {
    for (std::size_t k = 0; k < model.modes(); ++k) {
      const Column column{model.factors, k, j};
      const double length = norm_of(column, norm);
      model.weights[j] *= length;
      if (length == 0) continue;
      for (std::size_t i = 0; i < column.size(); ++i) column[i] /= length;
    }
    if (into_mode) {
      multiply({model.factors, *into_mode, j}, model.weights[j]);
      model.weights[j] = 1;
    }
  }
}

void resolve_signs(KTensor& model) {
  for (std::size_t j = 0; j < model.rank(); ++j) {
    bool negative = model.weights[j] < 0;
    model.weights[j] = std::abs(model.weights[j]);
    std::size_t most_balanced = 0;
    double balance = -1;
    for (std::size_t k = 0; k < model.modes(); ++k) {
      const Column column{model.factors, k, j};
      const Orientation found = orientation_of(column);
      if (found.negative) {
        negate(column);
        negative = !negative;
      }
      if (found.balance >= balance) {
        balance = found.balance;
        most_balanced = k;
      }
    }
    if (negative && model.modes() > 0) negate({model.factors, most_balanced, j});
  }
}

bool is_nonnegative(const KTensor& model) {
  const auto fine = [](double v) { return v >= 0; };
  const auto flat = model.factors.flat();
  return std::all_of(model.weights.begin(), model.weights.end(), fine) && std::all_of(flat.begin(), flat.end(), fine);
}

std::vector<double> component_sizes(const KTensor& model) {
  KTensor scaled = model;
  normalize(scaled, is_nonnegative(model) ? ColumnNorm::one : ColumnNorm::two);
  for (double& size : scaled.weights) size = std::abs(size);
  return std::move(scaled.weights);
}

std::vector<std::size_t> sort_by_size(KTensor& model) {
  const std::vector<double> weights = model.weights;
  const std::vector<double> sizes = component_sizes(model);
  std::vector<std::size_t> order(model.rank());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) {
    return sizes[p] > sizes[q] || (std::isnan(sizes[q]) && !std::isnan(sizes[p]));
  });
  std::vector<double> row(model.rank());
  for (std::size_t k = 0; k < model.modes(); ++k) {
    for (std::size_t i = 0; i < model.factors.rows(k); ++i) {
      double* entries = model.factors.row(k, i);
      std::transform(order.begin(), order.end(), row.begin(), [&](std::size_t j) { return entries[j]; });
      std::copy(row.begin(), row.end(), entries);
    }
  }
  std::transform(order.begin(), order.end(), model.weights.begin(), [&](std::size_t j) { return weights[j]; });
  return order;
}

void distribute_weights(KTensor& model) {
  if (model.modes() == 0) return;
  for (std::size_t j = 0; j < model.rank(); ++j) {
    const double weight = model.weights[j];
    if (weight == 1) continue;
    const double root = math::pow(std::abs(weight), 1.0 / static_cast<double>(model.modes()));
    for (std::size_t k = 0; k < model.modes(); ++k) {
      multiply({model.factors, k, j}, k == 0 && weight < 0 ? -root : root);
    }
    model.weights[j] = 1;
  }
}

}  // namespace polyad
