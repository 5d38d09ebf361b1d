#include <polyad/base/error.hpp>
#include <polyad/sample/counts.hpp>

namespace polyad {

std::string describe_draws(std::uint64_t samples, double cells, const std::string& what) {
  return fmt::format("{} of {} {}", format_count(samples), format_count(cells), what);
}

std::string listed_noun(const SparseTensor& tensor) {
  if (tensor.unlisted() == Unlisted::missing) return "listed entries";
  // Explicit zeros survive beside implicit ones only to carry a weight.
  const Records& records = tensor.records();
  if (records.weighted()) {
    for (std::size_t r = 0; r < records.size(); ++r) {
      if (records.value(r) == 0) return "listed entries";
    }
  }
  return "nonzeros";
}

std::string describe_stored(const Tensor& tensor) {
  const SparseTensor* sparse = tensor.sparse();
  if (sparse == nullptr) return fmt::format("{} cells", format_count(tensor.observed()));
  return fmt::format("{} listed cells", format_count(static_cast<double>(sparse->listed())));
}

bool zeros_are_data(const SparseTensor& tensor) {
  return tensor.unlisted() == Unlisted::zero;
}

void check_something_observed(const Tensor& tensor) {
  if (!(tensor.observed() > 0)) fail(ErrorKind::data, "nothing is observed: every cell is missing");
}

}  // namespace polyad
