#include <polyad/kernel/blocks.hpp>

#include <array>
#include <utility>

namespace polyad {

namespace {

// Four components at a time: rows are padded to multiples of four doubles and 32-byte aligned (factors.hpp).
using Lanes = double __attribute__((vector_size(32)));
constexpr std::size_t lanes = 4;

const Lanes& load(const double* row, std::size_t chunk) {
  return reinterpret_cast<const Lanes*>(row)[chunk];
}
Lanes& load(double* row, std::size_t chunk) {
  return reinterpret_cast<Lanes*>(row)[chunk];
}

// Where the rows of one batch are: bases of each mode's matrix and the batch's indices.
struct Rows {
  std::array<const double*, max_modes> base;
  std::array<double*, max_modes> gradient;
  std::array<const Index*, max_modes> index;
  std::size_t modes;
  std::size_t chunks;
};

Rows rows_of(const Factors& model, const Batch& batch, std::size_t first) {
  Rows rows{};
  rows.modes = model.modes();
  rows.chunks = model.stride() / lanes;
  for (std::size_t k = 0; k < rows.modes; ++k) {
    rows.base[k] = model.row(k, 0);
    rows.index[k] = batch.index[k].data() + first;
  }
  return rows;
}

// `Chunks` and `Modes` are the row length in chunks and the number of modes; 0 means known only at run time.
template <std::size_t Chunks, std::size_t Modes>
void model_values(const Rows& rows, std::size_t count, double* m) {
  const std::size_t chunks = Chunks > 0 ? Chunks : rows.chunks;
  const std::size_t modes = Modes > 0 ? Modes : rows.modes;
  for (std::size_t t = 0; t < count; ++t) {
    Lanes sum = {};
    for (std::size_t c = 0; c < chunks; ++c) {
      Lanes product = load(rows.base[0] + rows.index[0][t] * chunks * lanes, c);
      for (std::size_t k = 1; k < modes; ++k) product *= load(rows.base[k] + rows.index[k][t] * chunks * lanes, c);
      sum += product;
    }
    m[t] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
}

template <std::size_t Chunks, std::size_t Modes>
void scatter(const Rows& rows, std::size_t count, const double* y) {
  const std::size_t chunks = Chunks > 0 ? Chunks : rows.chunks;
  const std::size_t modes = Modes > 0 ? Modes : rows.modes;
  constexpr std::size_t held = Modes > 0 ? Modes : max_modes;
  for (std::size_t t = 0; t < count; ++t) {
    const Lanes weight = {y[t], y[t], y[t], y[t]};
    for (std::size_t c = 0; c < chunks; ++c) {
      std::array<Lanes, held> row;
      std::array<Lanes, held> prefix;  // weight times the rows of all modes before k
      prefix[0] = weight;
      for (std::size_t k = 0; k < modes; ++k) {
        row[k] = load(rows.base[k] + rows.index[k][t] * chunks * lanes, c);
        if (k + 1 < modes) prefix[k + 1] = prefix[k] * row[k];
      }
      Lanes suffix = row[modes - 1];  // the rows of all modes after k
      load(rows.gradient[modes - 1] + rows.index[modes - 1][t] * chunks * lanes, c) += prefix[modes - 1];
      for (std::size_t k = modes - 1; k-- > 0;) {
        load(rows.gradient[k] + rows.index[k][t] * chunks * lanes, c) += prefix[k] * suffix;
        if (k > 0) suffix *= row[k];
      }
    }
  }
}

constexpr std::size_t max_fixed_chunks = 16;
constexpr std::size_t max_fixed_modes = 6;

// Calls `body` with the specialisation for this row length and number of modes, chosen once a block.
template <std::size_t Chunks, class Body>
void with_modes(std::size_t modes, Body&& body) {
  switch (modes) {
    case 2:
      return body.template operator()<Chunks, 2>();
    case 3:
      return body.template operator()<Chunks, 3>();
    case 4:
      return body.template operator()<Chunks, 4>();
    case 5:
      return body.template operator()<Chunks, 5>();
    case max_fixed_modes:
      return body.template operator()<Chunks, 6>();
    default:
      return body.template operator()<Chunks, 0>();
  }
}

template <class Body>
void with_shape(std::size_t chunks, std::size_t modes, Body&& body) {
  const bool fixed = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return ((chunks == I + 1 ? (with_modes<I + 1>(modes, body), true) : false) || ...);
  }
  (std::make_index_sequence<max_fixed_chunks>{});
  if (!fixed) with_modes<0>(modes, body);
}

}  // namespace

void model_block(const Factors& model, const Batch& batch, std::size_t first, std::size_t count, double* m) {
  const Rows rows = rows_of(model, batch, first);
  with_shape(rows.chunks, rows.modes,
             [&]<std::size_t Chunks, std::size_t Modes>() { model_values<Chunks, Modes>(rows, count, m); });
}

void scatter_block(const Factors& model, const Batch& batch, std::size_t first, std::size_t count, const double* y,
                   Factors& gradient) {
  Rows rows = rows_of(model, batch, first);
  for (std::size_t k = 0; k < rows.modes; ++k) rows.gradient[k] = gradient.row(k, 0);
  with_shape(rows.chunks, rows.modes,
             [&]<std::size_t Chunks, std::size_t Modes>() { scatter<Chunks, Modes>(rows, count, y); });
}

}  // namespace polyad
