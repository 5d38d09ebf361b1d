#include <polyad/base/error.hpp>
#include <polyad/base/joined.hpp>
#include <polyad/io/cell_walk.hpp>
#include <polyad/io/refuse_loss.hpp>
#include <polyad/io/text/text_sink.hpp>
#include <polyad/io/text/toolbox_text.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace polyad {
namespace {

void put_number(TextSink& sink, double value, char after) {
  auto out = std::back_inserter(sink.buffer());
  if (std::isnan(value)) {
    fmt::format_to(out, FMT_COMPILE("NaN{}"), after);
  } else {
    fmt::format_to(out, FMT_COMPILE("{}{}"), value, after);
  }
  sink.flush_if_full();
}

template <class Extents>
void put_extents(TextSink& sink, const Extents& extents) {
  fmt::format_to(std::back_inserter(sink.buffer()), "{}\n{}\n", extents.size(), joined(extents, " "));
}

void put_type(TextSink& sink, std::string_view type) {
  fmt::format_to(std::back_inserter(sink.buffer()), "{}\n", type);
}

void write_toolbox_dense(TextSink& sink, const DenseTensor& dense) {
  put_type(sink, "tensor");
  put_extents(sink, dense.space().extents());
  FortranWalk walk({dense.space().extents().begin(), dense.space().extents().end()});
  for (std::uint64_t i = 0; i < dense.cells(); ++i, walk.next()) put_number(sink, dense.value(walk.place()), '\n');
}

void write_toolbox_sparse(TextSink& sink, const SparseTensor& sparse) {
  put_type(sink, "sptensor");
  put_extents(sink, sparse.space().extents());
  fmt::format_to(std::back_inserter(sink.buffer()), "{}\n", sparse.listed());
  for (std::size_t i = 0; i < sparse.listed(); ++i) {
    for (const Index k : sparse.records().cell(i)) {
      fmt::format_to(std::back_inserter(sink.buffer()), FMT_COMPILE("{} "), std::uint64_t{k} + 1);
    }
    put_number(sink, sparse.records().value(i), '\n');
  }
}

}  // namespace

bool is_toolbox_name(std::string_view path) {
  return path.ends_with(".tensor") || path.ends_with(".sptensor") || path.ends_with(".ktensor") ||
         path.ends_with(".txt");
}

void write_toolbox_tensor(const std::string& path, const Tensor& tensor) {
  refuse_what_has_no_place(path, tensor, "Tensor Toolbox text", /*unlisted_missing=*/false);
  TextSink sink(path);
  if (const SparseTensor* sparse = tensor.sparse()) {
    write_toolbox_sparse(sink, *sparse);
  } else {
    write_toolbox_dense(sink, *tensor.dense());
  }
  sink.commit();
}

void write_toolbox_model(const std::string& path, const ModelFile& file) {
  const Factors& factors = file.model.factors;
  TextSink sink(path);
  put_type(sink, "ktensor");
  put_extents(sink, factors.extents());
  fmt::format_to(std::back_inserter(sink.buffer()), "{}\n", factors.rank());
  for (const double weight : file.model.weights) put_number(sink, weight, ' ');
  put_type(sink, "");
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    put_type(sink, "matrix");
    put_extents(sink, std::vector<std::uint64_t>{factors.rows(k), factors.rank()});
    for (std::size_t i = 0; i < factors.rows(k); ++i) {
      for (std::size_t j = 0; j < factors.rank(); ++j) put_number(sink, factors.at(k, i, j), ' ');
      put_type(sink, "");
    }
  }
  sink.commit();
}

}  // namespace polyad
