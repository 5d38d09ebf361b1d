#include <polyad/kernel/implicit_gradient.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/kernel/cell_blocks.hpp>
#include <polyad/kernel/weighted_derivatives.hpp>
#include <polyad/kernel/zero_sum.hpp>

#include <algorithm>
#include <array>

namespace polyad {

namespace {

constexpr std::size_t cells_a_listed_part = 1 << 16;
constexpr std::size_t most_listed_parts = 32;
// Doubles that all parts together may use for the modes whose rows they share.
constexpr double most_replicated_rows = 3e7;

using BlockValues = std::array<double, block_cells>;

// w f(x,m) - v f(0,m) of a block, summed; y is its derivative by m where wanted.
class BlockRule {
 public:
  BlockRule(const ListedCells& cells, const Loss& loss)
      : cells_(cells), loss_(loss), form_(loss.info().zero_sum), v_(cells.zero_weight) {
    if (v_ != 0 && form_ == ZeroSum::none) {
      fail(ErrorKind::usage, "loss {} has no closed form for its sum over zeros", loss.spec());
    }
  }

  double value(std::size_t first, std::size_t count, const double* m) const {
    alignas(cache_line) BlockValues f;
    loss_.values(count, cells_.x.data() + first, m, f.data());
    double sum = 0;
    for (std::size_t t = 0; t < count; ++t) {
      // Chosen, not multiplied: the loss of a missing cell may be infinite.
      const double w = cells_.weight(first + t);
      sum += w > 0 ? w * f[t] : 0.0;
    }
    if (v_ == 0) return sum;
    double zeros = 0;
    for (std::size_t t = 0; t < count; ++t) zeros += form_ == ZeroSum::linear ? m[t] : m[t] * m[t];
    return sum - v_ * zeros;
  }

  void derivative(std::size_t first, std::size_t count, const double* m, double* y) const {
    const double* x = cells_.x.data() + first;
    const auto zeros = [this](std::size_t) { return -v_; };
    if (cells_.w.empty()) {
      const auto as_is = [](std::size_t, double g) { return g; };
      return weighted_derivatives(loss_, count, x, m, v_ != 0, as_is, zeros, y);
    }
    const double* w = cells_.w.data() + first;
    const auto weigh = [w](std::size_t t, double g) { return w[t] > 0 ? w[t] * g : 0.0; };
    weighted_derivatives(loss_, count, x, m, v_ != 0, weigh, zeros, y);
  }

  double all_zeros(const Factors& model) const { return v_ == 0 ? 0.0 : v_ * zero_sum(model, form_); }
  void add_all_zeros(const Factors& model, Factors& gradient) const {
    if (v_ != 0) add_zero_sum_gradient(model, form_, v_, gradient);
  }

 private:
  const ListedCells& cells_;
  const Loss& loss_;
  const ZeroSum form_;
  const double v_;
};

std::vector<std::size_t> parts_of(const ListedCells& cells, const Factors& model) {
  const double shared = static_cast<double>(model.flat().size() - model.mode_span(cells.mode).size());
  const auto affordable =
      static_cast<std::size_t>(std::clamp(most_replicated_rows / shared, 1.0, 1.0 * most_listed_parts));
  return whole_row_parts(cells, std::clamp<std::size_t>(cells.size() / cells_a_listed_part, 1, affordable));
}

// Calls visit(first, count) for the blocks of a part's cells.
template <class Visit>
void for_blocks(const ListedCells& cells, std::size_t first_row, std::size_t end_row, const Visit& visit) {
  const std::size_t end = cells.row_begin[end_row];
  for (std::size_t first = cells.row_begin[first_row]; first < end; first += block_cells) {
    visit(first, std::min(block_cells, end - first));
  }
}

struct PartSums {
  AlignedVector<double> rows;  // of all modes but the one in order, one after the other
  double value = 0;
};

}  // namespace

double implicit_gradient(const Factors& model, const ListedCells& cells, const Loss& loss, std::size_t threads,
                         Factors& gradient) {
  const BlockRule rule(cells, loss);
  const std::vector<std::size_t> rows = parts_of(cells, model);
  std::vector<PartSums> parts(rows.size() - 1);
  gradient.set_zero();

  parallel_tasks(parts.size(), threads, [&](std::size_t p) {
    PartSums& part = parts[p];
    part.rows.assign(model.flat().size() - model.mode_span(cells.mode).size(), 0.0);
    CellRows at_cells = rows_of(cells, model);
    at_cells.gradient[0] = gradient.row(cells.mode, 0);  // rows of this mode belong to one part each
    double* next = part.rows.data();
    for (std::size_t at = 1; at < at_cells.modes; ++at) {
      at_cells.gradient[at] = next;
      next += model.mode_span(mode_at(cells, at)).size();
    }
    alignas(cache_line) BlockValues m;
    alignas(cache_line) BlockValues y;
    CompensatedSum sum;
    for_blocks(cells, rows[p], rows[p + 1], [&](std::size_t first, std::size_t count) {
      move_to(cells, first, at_cells);
      cell_model(at_cells, count, m.data());
      sum.add(rule.value(first, count, m.data()));
      rule.derivative(first, count, m.data(), y.data());
      cell_scatter(at_cells, count, y.data());
    });
    part.value = sum.value();
  });

  CompensatedSum total;
  for (const PartSums& part : parts) {
    total.add(part.value);
    const double* from = part.rows.data();
    for (std::size_t at = 1; at < model.modes(); ++at) {
      for (double& g : gradient.mode_span(mode_at(cells, at))) g += *from++;
    }
  }
  if (model.modes() == 1) gradient.clear_padding();  // an empty product is 1 in the padding too
  total.add(rule.all_zeros(model));
  rule.add_all_zeros(model, gradient);
  return total.value();
}

}  // namespace polyad
