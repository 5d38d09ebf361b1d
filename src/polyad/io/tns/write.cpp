#include <polyad/base/joined.hpp>
#include <polyad/io/refuse_loss.hpp>
#include <polyad/io/text/text_sink.hpp>
#include <polyad/io/tns/write.hpp>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>

namespace polyad {
namespace {

std::string on_one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

void write_head(TextSink& sink, const Tensor& tensor, bool unlisted_missing) {
  auto out = std::back_inserter(sink.buffer());
  fmt::format_to(out, "# base: 1\n# shape: {}\n", joined(tensor.space().extents(), "x"));
  if (unlisted_missing) fmt::format_to(out, "# unlisted: missing\n");
  for (std::size_t k = 0; k < tensor.labels().modes(); ++k) {
    const ModeLabels& mode = tensor.labels().mode(k);
    if (!mode.name.empty()) fmt::format_to(out, "# mode {}: {}\n", k + 1, on_one_line(mode.name));
    for (std::size_t i = 0; i < mode.entries.size(); ++i) {
      fmt::format_to(out, "# label {} {}: {}\n", k + 1, i + 1, on_one_line(mode.entries[i]));
    }
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

void write_tns(const std::string& path, const Tensor& tensor) {
  refuse_what_has_no_place(path, tensor, ".tns", /*unlisted_missing=*/true);
  const SparseTensor* const sparse = tensor.sparse();
  TextSink sink(path);
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
