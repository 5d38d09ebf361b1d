// One pass over every cell (every_cell.hpp).

#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/kernel/every_cell.hpp>
#include <polyad/kernel/every_cell_blocks.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace polyad {

namespace {

// The trailing modes are taken together until there are at least this many cells in a row of them.
constexpr std::uint64_t enough_tail = 32;
constexpr std::uint64_t cells_per_piece = 1 << 16;
constexpr std::uint64_t most_pieces = 32;
// Each piece has sums for all trailing cells where pieces are ranges of rows; beyond this they are ranges of trailing cells.
constexpr double most_replicated = 3e7;

// Modes [0, split) lead, [split, d) trail; the tensor is a matrix of `rows` (leading indices) times `cells`.
struct Layout {
  std::size_t split = 0;
  std::uint64_t rows = 1;
  std::uint64_t cells = 1;
};

Layout layout_of(const Factors& model) {
  Layout layout;
  layout.split = model.modes();
  do {
    layout.cells *= model.rows(--layout.split);
  } while (layout.split > 0 && layout.cells < enough_tail);
  for (std::size_t k = 0; k < layout.split; ++k) layout.rows *= model.rows(k);
  return layout;
}

// Calls visit(index, number) for each index of modes [first, last), the last fastest, numbers begin .. end-1.
template <class Visit>
void for_each_index(const Factors& model, std::size_t first, std::size_t last, std::uint64_t begin, std::uint64_t end,
                    const Visit& visit) {
  std::array<std::uint64_t, max_modes> index{};
  std::uint64_t rest = begin;
  for (std::size_t k = last; k-- > first;) {
    index[k] = rest % model.rows(k);
    rest /= model.rows(k);
  }
  for (std::uint64_t number = begin; number < end; ++number) {
    visit(index, number);
    for (std::size_t k = last; k-- > first;) {
      if (++index[k] < model.rows(k)) break;
      index[k] = 0;
    }
  }
}

// prod over modes [first, last) but `except` of a_k(index_k, :).
template <class Indices>
void row_product(const Factors& model, const Indices& index, std::size_t first, std::size_t last, std::size_t except,
                 double* product) {
  std::fill_n(product, model.rank(), 1.0);
  for (std::size_t k = first; k < last; ++k) {
    if (k == except) continue;
    const double* row = model.row(k, index[k]);
    for (std::size_t j = 0; j < model.rank(); ++j) product[j] *= row[j];
  }
}

constexpr std::size_t none_left_out = max_modes;

// A rectangle of the matrix of rows and cells, and what was summed over it.
struct Piece {
  std::uint64_t row_begin = 0, row_end = 0;
  std::uint64_t cell_begin = 0, cell_end = 0;
  AlignedVector<double> tail_sums;                  // rank lines of the piece's cells
  std::vector<AlignedVector<double>> leading_sums;  // per mode: its rows x rank; of mode 0 only the piece's own rows
  std::uint64_t first_row_of_mode_0 = 0;
  double sum = 0;

  std::size_t line() const { return padded_cells(cell_end - cell_begin); }
};

class Pass {
 public:
  Pass(const Factors& model, const CellSource& source, const CellRule& rule)
      : model_(model),
        source_(source),
        rule_(rule),
        layout_(layout_of(model)),
        line_(padded_cells(layout_.cells)),
        table_(model.rank() * line_) {
    std::vector<double> product(model.rank());
    for_each_index(model, layout_.split, model.modes(), 0, layout_.cells, [&](const auto& index, std::uint64_t c) {
      row_product(model, index, layout_.split, model.modes(), none_left_out, product.data());
      for (std::size_t j = 0; j < model.rank(); ++j) table_[j * line_ + c] = product[j];
    });
    cut();
  }

  double run(std::size_t threads, Factors& out) {
    parallel_tasks(pieces_.size(), threads, [&](std::size_t p) { work(pieces_[p]); });
    CompensatedSum sum;
    for (const Piece& piece : pieces_) sum.add(piece.sum);
    for (std::size_t k = 0; k < model_.modes(); ++k) {
      if (!wanted(k)) continue;
      std::ranges::fill(out.mode_span(k), 0.0);
      if (k < layout_.split) gather_leading(k, out);
    }
    if (tail_wanted()) gather_tail(out);
    return sum.value();
  }

 private:
  bool wanted(std::size_t mode) const { return !rule_.only_mode || *rule_.only_mode == mode; }
  bool tail_wanted() const { return !rule_.only_mode || *rule_.only_mode >= layout_.split; }
  bool leading_wanted() const { return layout_.split > 0 && (!rule_.only_mode || *rule_.only_mode < layout_.split); }

  void cut() {
    const std::uint64_t all = layout_.rows * layout_.cells;
    const std::uint64_t count = std::clamp<std::uint64_t>(all / cells_per_piece, 1, most_pieces);
    const std::uint64_t blocks = (layout_.cells + tail_cells - 1) / tail_cells;
    const double replicated = static_cast<double>(count) * static_cast<double>(table_.size());
    const bool by_rows = layout_.rows >= count && (replicated <= most_replicated || blocks < count);
    const std::uint64_t pieces = std::min(count, by_rows ? layout_.rows : blocks);
    for (std::uint64_t p = 0; p < pieces; ++p) {
      Piece piece;
      piece.row_end = layout_.rows;
      piece.cell_end = layout_.cells;
      if (by_rows) {
        piece.row_begin = layout_.rows * p / pieces;
        piece.row_end = layout_.rows * (p + 1) / pieces;
      } else {
        piece.cell_begin = blocks * p / pieces * tail_cells;
        piece.cell_end = std::min(layout_.cells, blocks * (p + 1) / pieces * tail_cells);
      }
      pieces_.push_back(std::move(piece));
    }
  }

  void prepare(Piece& piece) const {
    if (tail_wanted()) piece.tail_sums.assign(model_.rank() * piece.line(), 0.0);
    if (!leading_wanted()) return;
    const std::uint64_t rows_per_first = layout_.rows / model_.rows(0);
    piece.first_row_of_mode_0 = piece.row_begin / rows_per_first;
    const std::uint64_t own = (piece.row_end - 1) / rows_per_first - piece.first_row_of_mode_0 + 1;
    piece.leading_sums.resize(layout_.split);
    for (std::size_t k = 0; k < layout_.split; ++k) {
      if (wanted(k)) piece.leading_sums[k].assign((k == 0 ? own : model_.rows(k)) * model_.rank(), 0.0);
    }
  }

  void work(Piece& piece) const {
    prepare(piece);
    const std::size_t rank = model_.rank();
    std::vector<double> p(tail_rows * rank);
    std::vector<double> q(tail_rows * rank);
    std::array<std::array<std::uint64_t, max_modes>, tail_rows> index;
    CompensatedSum sum;
    for (std::uint64_t cell = piece.cell_begin; cell < piece.cell_end; cell += tail_cells) {
      const std::size_t count = std::min<std::uint64_t>(tail_cells, piece.cell_end - cell);
      TailBlock block{table_.data() + cell, line_, rank, padded_cells(count), 0, p.data()};
      const auto flush = [&](std::uint64_t last_row) {
        add_block(piece, block, cell, count, last_row + 1 - block.rows, q.data(), sum);
        for (std::size_t row = 0; row < block.rows && leading_wanted(); ++row) {
          spread_to_leading(piece, index[row], q.data() + row * rank);
        }
        block.rows = 0;
      };
      for_each_index(model_, 0, layout_.split, piece.row_begin, piece.row_end, [&](const auto& at, std::uint64_t row) {
        index[block.rows] = at;
        row_product(model_, at, 0, layout_.split, none_left_out, p.data() + block.rows * rank);
        if (++block.rows == tail_rows || row + 1 == piece.row_end) flush(row);
      });
    }
    piece.sum = sum.value();
  }

  // Model values, rule and products of block.rows rows from `first_row` on.
  void add_block(Piece& piece, const TailBlock& block, std::uint64_t cell, std::size_t count, std::uint64_t first_row,
                 double* q, CompensatedSum& sum) const {
    using Lines = std::array<double, tail_rows * tail_cells>;
    alignas(cache_line) Lines m;
    alignas(cache_line) Lines y;
    alignas(cache_line) std::array<double, tail_cells> x_buffer;
    alignas(cache_line) std::array<double, tail_cells> w_buffer;
    if (rule_.with_model) tail_model(block, m.data());
    for (std::size_t row = 0; row < block.rows; ++row) {
      const CellRun run =
          source_.run((first_row + row) * layout_.cells + cell, count, x_buffer.data(), w_buffer.data());
      double* line = y.data() + row * tail_cells;
      sum.add(rule_.apply(run, count, m.data() + row * tail_cells, line));
      std::fill(line + count, line + block.cells, 0.0);
    }
    double* tail_sums = tail_wanted() ? piece.tail_sums.data() + (cell - piece.cell_begin) : nullptr;
    tail_scatter(block, y.data(), tail_sums, piece.line(), leading_wanted() ? q : nullptr);
  }

  void spread_to_leading(Piece& piece, const std::array<std::uint64_t, max_modes>& index, const double* q) const {
    const std::size_t rank = model_.rank();
    for (std::size_t k = 0; k < layout_.split; ++k) {
      if (!wanted(k)) continue;
      double* to = piece.leading_sums[k].data() + (index[k] - (k == 0 ? piece.first_row_of_mode_0 : 0)) * rank;
      for (std::size_t j = 0; j < rank; ++j) {
        double others = q[j];
        for (std::size_t l = 0; l < layout_.split; ++l) {
          if (l != k) others *= model_.at(l, index[l], j);
        }
        to[j] += others;
      }
    }
  }

  void gather_leading(std::size_t mode, Factors& out) const {
    const std::size_t rank = model_.rank();
    for (const Piece& piece : pieces_) {
      const auto& sums = piece.leading_sums[mode];
      const std::uint64_t first = mode == 0 ? piece.first_row_of_mode_0 : 0;
      for (std::size_t i = 0; i < sums.size() / rank; ++i) {
        double* to = out.row(mode, first + i);
        for (std::size_t j = 0; j < rank; ++j) to[j] += sums[i * rank + j];
      }
    }
  }

  void gather_tail(Factors& out) const {
    const std::size_t rank = model_.rank();
    AlignedVector<double> sums(table_.size(), 0.0);
    for (const Piece& piece : pieces_) {
      for (std::size_t j = 0; j < rank; ++j) {
        const double* from = piece.tail_sums.data() + j * piece.line();
        double* to = sums.data() + j * line_ + piece.cell_begin;
        for (std::uint64_t c = 0; c < piece.cell_end - piece.cell_begin; ++c) to[c] += from[c];
      }
    }
    std::vector<double> others(rank);
    for_each_index(model_, layout_.split, model_.modes(), 0, layout_.cells, [&](const auto& index, std::uint64_t c) {
      for (std::size_t k = layout_.split; k < model_.modes(); ++k) {
        if (!wanted(k)) continue;
        row_product(model_, index, layout_.split, model_.modes(), k, others.data());
        double* to = out.row(k, index[k]);
        for (std::size_t j = 0; j < rank; ++j) to[j] += sums[j * line_ + c] * others[j];
      }
    });
  }

  const Factors& model_;
  const CellSource& source_;
  const CellRule& rule_;
  const Layout layout_;
  const std::size_t line_;
  AlignedVector<double> table_;
  std::vector<Piece> pieces_;
};

}  // namespace

double every_cell_pass(const Factors& model, const CellSource& source, const CellRule& rule, std::size_t threads,
                       Factors& out) {
  return Pass(model, source, rule).run(threads, out);
}

}  // namespace polyad
