// The exact gradient (exact_objective.hpp): over listed cells at O(nnz r d), where the sum over all zeros has a closed form in
// the factors (App. A of the paper, zero_sum.hpp), or over every cell.

#include <polyad/base/error.hpp>
#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/base/text.hpp>
#include <polyad/kernel/every_cell_blocks.hpp>
#include <polyad/kernel/exact_objective.hpp>
#include <polyad/kernel/listed_blocks.hpp>
#include <polyad/kernel/sampled_blocks.hpp>
#include <polyad/kernel/zero_sum.hpp>

#include <algorithm>
#include <array>

namespace polyad {

namespace {

constexpr std::size_t cells_per_listed_piece = 1 << 16;
constexpr std::size_t most_listed_pieces = 32;
// Doubles that all pieces together may use for the modes whose rows they share.
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

std::vector<std::size_t> pieces_of(const ListedCells& cells, const Factors& model) {
  const double shared = static_cast<double>(model.flat().size() - model.mode_span(cells.mode).size());
  const auto affordable =
      static_cast<std::size_t>(std::clamp(most_replicated_rows / shared, 1.0, 1.0 * most_listed_pieces));
  return whole_row_pieces(cells, std::clamp<std::size_t>(cells.size() / cells_per_listed_piece, 1, affordable));
}

// Calls visit(first, count) for the blocks of a piece's cells.
template <class Visit>
void for_blocks(const ListedCells& cells, std::size_t first_row, std::size_t end_row, const Visit& visit) {
  const std::size_t end = cells.row_begin[end_row];
  for (std::size_t first = cells.row_begin[first_row]; first < end; first += block_cells) {
    visit(first, std::min(block_cells, end - first));
  }
}

struct PieceSums {
  AlignedVector<double> rows;  // of all modes but the one in order, one after the other
  double value = 0;
};

// Pieces are whole rows of the mode in order.
double listed_gradient(const Factors& model, const ListedCells& cells, const Loss& loss, std::size_t threads,
                       Factors& gradient) {
  const BlockRule rule(cells, loss);
  const std::vector<std::size_t> rows = pieces_of(cells, model);
  std::vector<PieceSums> pieces(rows.size() - 1);
  gradient.set_zero();

  parallel_tasks(pieces.size(), threads, [&](std::size_t p) {
    PieceSums& piece = pieces[p];
    piece.rows.assign(model.flat().size() - model.mode_span(cells.mode).size(), 0.0);
    CellRows at_cells = rows_of(cells, model);
    at_cells.gradient[0] = gradient.row(cells.mode, 0);  // rows of this mode belong to one piece each
    double* next = piece.rows.data();
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
    piece.value = sum.value();
  });

  CompensatedSum total;
  for (const PieceSums& piece : pieces) {
    total.add(piece.value);
    const double* from = piece.rows.data();
    for (std::size_t at = 1; at < model.modes(); ++at) {
      for (double& g : gradient.mode_span(mode_at(cells, at))) g += *from++;
    }
  }
  if (model.modes() == 1) gradient.clear_padding();  // an empty product is 1 in the padding too
  total.add(rule.all_zeros(model));
  rule.add_all_zeros(model, gradient);
  return total.value();
}

// Four partial sums: the order of additions is fixed and the compiler can keep them in one vector.
double block_sum(std::size_t count, const double* f) {
  std::array<double, 4> sums{};
  std::size_t t = 0;
  for (; t + 4 <= count; t += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += f[t + lane];
  }
  for (; t < count; ++t) sums[0] += f[t];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double every_cell_gradient(const Factors& model, const CellSource& source, const Loss& loss, std::size_t threads,
                           Factors& gradient) {
  CellRule rule;
  rule.apply = [&loss](const CellRun& run, std::size_t count, const double* m, double* y) {
    alignas(cache_line) std::array<double, tail_cells> f;
    loss.values(count, run.x, m, f.data());
    loss.derivatives(count, run.x, m, y);
    if (run.w != nullptr) {
      // Chosen, not multiplied: the loss of a missing cell may be infinite.
      for (std::size_t t = 0; t < count; ++t) {
        f[t] = run.w[t] > 0 ? run.w[t] * f[t] : 0.0;
        y[t] = run.w[t] > 0 ? run.w[t] * y[t] : 0.0;
      }
    }
    return block_sum(count, f.data());
  };
  return every_cell_pass(model, source, rule, threads, gradient);
}

}  // namespace

double exact_gradient_cells(const Tensor& tensor, const Loss& loss, double most) {
  const SparseTensor* sparse = tensor.sparse();
  if (listed_cells_suffice(tensor, loss)) return static_cast<double>(sparse->listed() + sparse->missing_cells());
  const double cells = tensor.space().cells();
  if (sparse != nullptr && (!tensor.space().exact_cells() || cells > most)) {
    fail(ErrorKind::usage,
         "loss {}: an exact evaluation would visit all {} cells of the sparse tensor, more than {}; use "
         "`method gcp-sgd`, or a loss whose zeros have a closed form (poisson, gaussian)",
         loss.spec(), format_count(cells), format_count(most));
  }
  return cells;
}

ExactGradient::ExactGradient(const Tensor& tensor, const Loss& loss, double most) : tensor_(tensor), loss_(loss) {
  exact_gradient_cells(tensor, loss, most);
  if (listed_cells_suffice(tensor, loss)) {
    require_memory("an exact gradient", listed_cells_bytes(tensor));
    listed_ = listed_cells(tensor);
  } else {
    every_cell_ = make_cell_source(tensor);
  }
}

double ExactGradient::operator()(const Factors& model, std::size_t threads, Factors& gradient) const {
  if (listed_) return listed_gradient(model, *listed_, loss_, threads, gradient);
  return every_cell_gradient(model, *every_cell_, loss_, threads, gradient);
}

std::string ExactGradient::describe() const {
  const double cells = exact_gradient_cells(tensor_, loss_, tensor_.space().cells());
  const bool listed = cells < tensor_.space().cells();
  return fmt::format("{} {} per evaluation", format_count(cells), listed ? "listed cells" : "cells");
}

}  // namespace polyad
