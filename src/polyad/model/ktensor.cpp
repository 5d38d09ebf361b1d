#include <polyad/base/error.hpp>
#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/text.hpp>
#include <polyad/model.hpp>
#include <polyad/model/compare.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

void check_cell(const Factors& factors, const Index* index, std::size_t record) {
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    if (index[k] < factors.rows(k)) continue;
    fail(ErrorKind::data, "cell {}: index {} in mode {} is beyond the model's {} (counted from 1)", record + 1,
         static_cast<std::uint64_t>(index[k]) + 1, k + 1, factors.rows(k));
  }
}

}  // namespace

double value_at(const KTensor& model, std::span<const Index> index) {
  CompensatedSum sum;
  for (std::size_t j = 0; j < model.rank(); ++j) {
    double product = model.weights[j];
    for (std::size_t k = 0; k < model.modes(); ++k) product *= model.factors.at(k, index[k], j);
    sum.add(product);
  }
  return sum.value();
}

double inner_product(const KTensor& a, const KTensor& b) {
  if (a.factors.extents() != b.factors.extents()) {
    fail(ErrorKind::usage, "inner product of models of different shapes: {} and {}", joined(a.factors.extents(), " x "),
         joined(b.factors.extents(), " x "));
  }
  const std::vector<double> products = component_products(a.factors, b.factors);
  CompensatedSum sum;
  for (std::size_t p = 0; p < a.rank(); ++p) {
    for (std::size_t q = 0; q < b.rank(); ++q) sum.add(a.weights[p] * b.weights[q] * products[p * b.rank() + q]);
  }
  return sum.value();
}

double norm(const KTensor& model) {
  // Components that cancel may leave a square that rounds to below 0.
  const double square = inner_product(model, model);
  return std::sqrt(square < 0 ? 0.0 : square);
}

std::vector<double> values_at(const KTensor& model, const Records& cells) {
  if (cells.modes() != model.modes()) {
    fail(ErrorKind::data, "cells have {} indices each but the model has {} modes ({})", cells.modes(), model.modes(),
         joined(model.factors.extents(), " x "));
  }
  std::vector<double> values(cells.size());
  for (std::size_t t = 0; t < values.size(); ++t) {
    check_cell(model.factors, cells.index(t), t);
    values[t] = value_at(model, {cells.index(t), model.modes()});
  }
  return values;
}

KTensor model_of(const std::vector<std::uint64_t>& extents, std::vector<double> weights,
                 const std::vector<std::vector<double>>& matrices) {
  (void)IndexSpace(extents);  // its rules
  const std::size_t rank = weights.size();
  if (rank == 0) fail(ErrorKind::data, "a model without components");
  if (matrices.size() != extents.size()) {
    fail(ErrorKind::data, "a model of {} modes needs as many factor matrices; {} are given", extents.size(),
         matrices.size());
  }
  KTensor model(Factors(extents, rank));
  model.weights = std::move(weights);
  for (std::size_t k = 0; k < extents.size(); ++k) {
    if (matrices[k].size() != extents[k] * rank) {
      fail(ErrorKind::data, "the factor matrix of mode {} has {} numbers, but {} rows of {} components need {}", k + 1,
           matrices[k].size(), extents[k], rank, extents[k] * rank);
    }
    for (std::size_t i = 0; i < extents[k]; ++i) {
      std::copy_n(matrices[k].data() + i * rank, rank, model.factors.row(k, i));
    }
  }
  return model;
}

std::vector<double> unpadded(const Factors& factors, std::size_t mode) {
  std::vector<double> out;
  out.reserve(factors.rows(mode) * factors.rank());
  for (std::size_t i = 0; i < factors.rows(mode); ++i) {
    const double* const row = factors.row(mode, i);
    out.insert(out.end(), row, row + factors.rank());
  }
  return out;
}

}  // namespace polyad
