#include <polyad/base/error.hpp>
#include <polyad/base/joined.hpp>
#include <polyad/model/values.hpp>

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

}  // namespace polyad
