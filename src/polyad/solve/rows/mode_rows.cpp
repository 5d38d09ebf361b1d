#include <polyad/solve/rows/mode_rows.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/base/rng.hpp>
#include <polyad/base/text.hpp>
#include <polyad/kernel/listed_blocks.hpp>
#include <polyad/kernel/zero_sum.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace polyad {

namespace {

// An unlisted cell that is data: it holds a zero.
bool is_observed_zero(const Tensor& tensor, const Index* index) {
  if (const DenseTensor* dense = tensor.dense()) {
    return dense->value(dense->position({index, tensor.space().modes()})) == 0;
  }
  return !tensor.sparse()->is_listed(index) && !tensor.sparse()->is_missing(index);
}

}  // namespace

ModeRows::ModeRows(const Tensor& tensor, const Factors& model, std::size_t mode, const Loss& loss,
                   const ModeRowsSettings& settings)
    : tensor_(tensor), model_(model), loss_(loss) {
  require_memory("solving for rows, which holds the data in their order,", 2 * listed_cells_bytes(tensor));
  cells_ = listed_cells(tensor);
  if (cells_.mode != mode) cells_ = in_order_of(cells_, mode, tensor.space().extent(mode));
  for (std::size_t k = 0; k < tensor.space().modes(); ++k) {
    if (k != mode) cells_of_a_row_ *= static_cast<double>(tensor.space().extent(k));
  }
  choose_zeros(settings);
  const bool has_form = zeros_ == RowZeros::none || zeros_ == RowZeros::closed_form;
  poisson_ = has_form && loss.info().row_problem == RowProblem::poisson_regression;
  if (poisson_) {
    for (std::size_t t = 0; t < cells_.size(); ++t) cells_.x[t] *= loss.data_scale() * cells_.weight(t);
  }
}

void ModeRows::choose_zeros(const ModeRowsSettings& settings) {
  if (cells_.zero_weight == 0) return;
  const ZeroSum form = loss_.info().zero_sum;
  if (form != ZeroSum::none) {
    zeros_ = RowZeros::closed_form;
    std::vector<ZeroTerm> terms(model_.modes(), ZeroTerm(zero_term_size(form, model_.rank()), 0.0));
    for (std::size_t k = 0; k < model_.modes(); ++k) {
      if (k != cells_.mode) add_rows_to_term(model_, form, k, 0, model_.rows(k), terms[k]);
    }
    zero_term_ = product_of_other_terms(terms, cells_.mode);
    for (double& term : zero_term_) term *= cells_.zero_weight;
    return;
  }
  double zeros = 0;
  for (std::size_t i = 0; i < rows(); ++i) {
    zeros += cells_of_a_row_ - static_cast<double>(cells_.row_begin[i + 1] - cells_.row_begin[i]);
  }
  if (zeros == 0) return;
  const double bytes = cells_of_a_row_ * 8 * static_cast<double>(model_.stride());
  const bool all =
      static_cast<double>(rows()) * cells_of_a_row_ <= settings.most_visits && bytes <= settings.most_bytes;
  zeros_ = all ? RowZeros::visited : RowZeros::sampled;
  share_cells(all, settings);
}

void ModeRows::share_cells(bool all, const ModeRowsSettings& settings) {
  const std::size_t d = model_.modes();
  const auto count = static_cast<std::size_t>(all ? cells_of_a_row_ : static_cast<double>(settings.samples));
  shared_index_.assign(d, AlignedVector<Index>(count, 0));
  if (all) {
    std::array<Index, max_modes> index{};
    for (std::size_t q = 0; q < count; ++q) {
      for (std::size_t k = 0; k < d; ++k) shared_index_[k][q] = index[k];
      for (std::size_t k = d; k-- > 0;) {
        if (k == cells_.mode) continue;
        if (++index[k] < model_.rows(k)) break;
        index[k] = 0;
      }
    }
  } else {
    const RandomStream stream(settings.seed, Purpose::estimate, cells_.mode);
    for (std::size_t k = 0; k < d; ++k) {
      if (k == cells_.mode) continue;
      for (std::size_t q = 0; q < count; ++q) {
        const auto words = stream.words(q, static_cast<std::uint32_t>(k), 0, 0);
        shared_index_[k][q] = static_cast<Index>(bounded64(words[0], words[1], model_.rows(k)));
      }
    }
  }
  shared_pi_.resize(count * model_.stride());
  CellRows rows = rows_of(cells_, model_);
  for (std::size_t first = 0; first < count; first += block_cells) {
    for (std::size_t at = 0; at < d; ++at) rows.index[at] = shared_index_[mode_at(cells_, at)].data() + first;
    cell_products(rows, std::min(block_cells, count - first), shared_pi_.data() + first * model_.stride());
  }
}

double ModeRows::observed(std::size_t row) const {
  std::size_t listed = 0;
  for (std::size_t t = cells_.row_begin[row]; t < cells_.row_begin[row + 1]; ++t)
    listed += cells_.weight(t) > 0 ? 1 : 0;
  const double unlisted = cells_of_a_row_ - static_cast<double>(cells_.row_begin[row + 1] - cells_.row_begin[row]);
  return static_cast<double>(listed) + (cells_.zero_weight > 0 ? unlisted : 0.0);
}

void ModeRows::shared_weights(std::size_t row, AlignedVector<double>& weights) const {
  const std::size_t n = shared();
  weights.resize(n);
  std::array<Index, max_modes> index{};
  std::size_t kept = 0;
  for (std::size_t q = 0; q < n; ++q) {
    for (std::size_t k = 0; k < shared_index_.size(); ++k) index[k] = shared_index_[k][q];
    index[cells_.mode] = static_cast<Index>(row);
    const bool zero = is_observed_zero(tensor_, index.data());
    weights[q] = zero ? cells_.zero_weight : 0.0;
    kept += zero ? 1 : 0;
  }
  if (zeros_ != RowZeros::sampled || kept == 0) return;
  const double zeros = cells_of_a_row_ - static_cast<double>(cells_.row_begin[row + 1] - cells_.row_begin[row]);
  for (double& w : weights) w *= zeros / static_cast<double>(kept);
}

std::string ModeRows::describe() const {
  switch (zeros_) {
    case RowZeros::none:
      return "every cell that is data";
    case RowZeros::closed_form:
      return "every listed cell; zeros are summed in closed form";
    case RowZeros::visited:
      return "every cell that is data, zeros included";
    case RowZeros::sampled:
      return fmt::format("every listed cell and a sample of {} other cells per row: zeros are estimated",
                         format_count(shared()));
  }
  return {};
}

}  // namespace polyad
