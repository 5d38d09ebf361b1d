#include <polyad/kernel/full_gradient.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/base/text.hpp>
#include <polyad/kernel/dense_gradient.hpp>
#include <polyad/kernel/implicit_gradient.hpp>

namespace polyad {

namespace {

bool by_listed_cells(const Tensor& tensor, const Loss& loss) {
  const SparseTensor* sparse = tensor.sparse();
  return sparse != nullptr && (sparse->unlisted() == Unlisted::missing || loss.info().zero_sum != ZeroSum::none);
}

}  // namespace

double full_gradient_cells(const Tensor& tensor, const Loss& loss) {
  const SparseTensor* sparse = tensor.sparse();
  if (by_listed_cells(tensor, loss)) return static_cast<double>(sparse->listed() + sparse->missing_cells());
  const double cells = tensor.space().cells();
  if (sparse != nullptr && (!tensor.space().exact_cells() || cells > max_enumerated_cells)) {
    fail(ErrorKind::usage,
         "loss {}: an exact evaluation would visit all {} cells of the sparse tensor, more than {}; use "
         "`method gcp-sgd`, or a loss whose zeros have a closed form (poisson, gaussian)",
         loss.spec(), format_count(cells), format_count(max_enumerated_cells));
  }
  return cells;
}

FullGradient::FullGradient(const Tensor& tensor, const Loss& loss) : tensor_(tensor), loss_(loss) {
  full_gradient_cells(tensor, loss);
  if (by_listed_cells(tensor, loss)) {
    require_memory("an exact gradient", listed_cells_bytes(tensor));
    listed_ = listed_cells(tensor);
  } else {
    every_cell_ = make_cell_source(tensor);
  }
}

double FullGradient::operator()(const Factors& model, std::size_t threads, Factors& gradient) const {
  if (listed_) return implicit_gradient(model, *listed_, loss_, threads, gradient);
  return dense_gradient(model, *every_cell_, loss_, threads, gradient);
}

std::string FullGradient::describe() const {
  const double cells = full_gradient_cells(tensor_, loss_);
  const bool listed = cells < tensor_.space().cells();
  return fmt::format("{} {} an evaluation", format_count(cells), listed ? "listed cells" : "cells");
}

}  // namespace polyad
