#include <polyad/base/error.hpp>
#include <polyad/io/refuse_loss.hpp>

namespace polyad {

void refuse_what_has_no_place(const std::string& path, const Tensor& tensor, std::string_view format,
                              bool unlisted_missing) {
  const auto refuse = [&](std::string_view what) {
    fail(ErrorKind::usage, "cannot write '{}': {} has no place for {}; write .h5 instead", path, format, what);
  };
  const SparseTensor* const sparse = tensor.sparse();
  if (sparse != nullptr ? sparse->weighted() : tensor.dense()->weighted()) refuse("weights");
  if (sparse == nullptr) return;
  if (sparse->missing_cells() > 0) refuse("a list of missing cells");
  if (sparse->unlisted() == Unlisted::missing && !unlisted_missing) refuse("cells that are missing");
}

}  // namespace polyad
