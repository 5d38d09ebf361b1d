#include <polyad/base/error.hpp>
#include <polyad/io/text_sink.hpp>
#include <polyad/io/tns_write.hpp>

#include <fmt/compile.h>
#include <fmt/ranges.h>

#include <iterator>

namespace polyad {
namespace {

void write_head(TextSink& sink, const Tensor& tensor, bool unlisted_missing) {
  auto out = std::back_inserter(sink.buffer());
  fmt::format_to(out, "# base: 1\n# shape: {}\n", fmt::join(tensor.space().extents(), "x"));
  if (unlisted_missing) fmt::format_to(out, "# unlisted: missing\n");
  for (std::size_t k = 0; k < tensor.labels().modes(); ++k) {
    std::string name = tensor.labels().mode(k).name;
    for (char& c : name) {
      if (c == '\n' || c == '\r') c = ' ';
    }
    if (!name.empty()) fmt::format_to(out, "# mode {}: {}\n", k + 1, name);
  }
}

void write_entry(TextSink& sink, std::span<const Index> index, double value) {
  auto out = std::back_inserter(sink.buffer());
  for (const Index i : index) fmt::format_to(out, FMT_COMPILE("{} "), std::uint64_t{i} + 1);
  fmt::format_to(out, FMT_COMPILE("{}\n"), value);
  sink.flush_if_full();
}

void write_dense(TextSink& sink, const DenseTensor& dense, bool zeros) {
  std::vector<Index> index(dense.space().modes(), 0);
  for (std::uint64_t cell = 0; cell < dense.cells(); ++cell) {
    if (!dense.missing(cell) && (zeros || dense.value(cell) != 0)) write_entry(sink, index, dense.value(cell));
    for (std::size_t k = index.size(); k-- > 0;) {
      if (++index[k] < dense.space().extent(k)) break;
      index[k] = 0;
    }
  }
}

}  // namespace

void write_tns(const std::string& path, const Tensor& tensor, bool gzip) {
  const SparseTensor* const sparse = tensor.sparse();
  if (sparse != nullptr ? sparse->weighted() : tensor.dense()->weighted()) {
    fail(ErrorKind::usage, "cannot write '{}': .tns has no place for weights; write .h5 instead", path);
  }
  if (sparse != nullptr && sparse->missing_cells() > 0) {
    fail(ErrorKind::usage, "cannot write '{}': .tns has no place for a list of missing cells; write .h5 instead", path);
  }
  TextSink sink(path, gzip);
  if (sparse != nullptr) {
    write_head(sink, tensor, sparse->unlisted() == Unlisted::missing);
    for (std::size_t i = 0; i < sparse->listed(); ++i) {
      write_entry(sink, sparse->records().cell(i), sparse->records().value(i));
    }
  } else {
    const DenseTensor& dense = *tensor.dense();
    const bool some_missing = dense.observed() < dense.cells();
    write_head(sink, tensor, some_missing);
    write_dense(sink, dense, some_missing);
  }
  sink.commit();
}

}  // namespace polyad
