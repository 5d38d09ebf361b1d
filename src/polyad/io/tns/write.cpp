#include <polyad/base/error.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/text/text_sink.hpp>
#include <polyad/io/tns/tns.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace polyad {
namespace {

// Blanks around a text and line ends within it would not survive a line.
bool survives_a_line(std::string_view text) {
  return text.empty() || (text.find_first_of("\r\n") == std::string_view::npos &&
                          std::string_view(" \t").find(text.front()) == std::string_view::npos &&
                          std::string_view(" \t").find(text.back()) == std::string_view::npos);
}

void write_name(TextSink& sink, std::string_view what, const std::string& name) {
  auto out = std::back_inserter(sink.buffer());
  if (survives_a_line(name)) {
    fmt::format_to(out, "# {}: {}\n", what, name);
  } else {
    fmt::format_to(out, "# quoted {}: {}\n", what, Json(name).dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  sink.flush_if_full();
}

// The number of entries comes first and the shape last: then a file cut anywhere lacks the one or the other.
void write_head(TextSink& sink, const Tensor& tensor, std::uint64_t entries, bool unlisted_missing) {
  auto out = std::back_inserter(sink.buffer());
  fmt::format_to(out, "# entries: {}\n# base: 1\n", entries);
  if (unlisted_missing) fmt::format_to(out, "# unlisted: missing\n");
  for (std::size_t k = 0; k < tensor.labels().modes(); ++k) {
    const ModeLabels& mode = tensor.labels().mode(k);
    if (!mode.name.empty()) write_name(sink, fmt::format("mode {}", k + 1), mode.name);
    for (std::size_t i = 0; i < mode.entries.size(); ++i) {
      write_name(sink, fmt::format("label {} {}", k + 1, i + 1), mode.entries[i]);
    }
  }
  fmt::format_to(out, "# shape: {}\n", joined(tensor.space().extents(), "x"));
}

void write_entry(TextSink& sink, std::span<const Index> index, double value) {
  auto out = std::back_inserter(sink.buffer());
  for (const Index i : index) fmt::format_to(out, FMT_COMPILE("{} "), std::uint64_t{i} + 1);
  fmt::format_to(out, FMT_COMPILE("{}\n"), value);
  sink.flush_if_full();
}

// -0.0 is listed, although it is a zero: it would come back as +0.0 otherwise.
bool is_listed(double value, bool zeros) {
  return zeros || value != 0 || std::signbit(value);
}

std::uint64_t listed_cells(const DenseTensor& dense, bool zeros) {
  std::uint64_t listed = 0;
  for (std::uint64_t cell = 0; cell < dense.cells(); ++cell) {
    if (!dense.missing(cell) && is_listed(dense.value(cell), zeros)) ++listed;
  }
  return listed;
}

void write_dense(TextSink& sink, const DenseTensor& dense, bool zeros) {
  std::vector<Index> index(dense.space().modes(), 0);
  for (std::uint64_t cell = 0; cell < dense.cells(); ++cell) {
    if (!dense.missing(cell) && is_listed(dense.value(cell), zeros)) write_entry(sink, index, dense.value(cell));
    for (std::size_t k = index.size(); k-- > 0;) {
      if (++index[k] < dense.space().extent(k)) break;
      index[k] = 0;
    }
  }
}

}  // namespace

void write_tns(const std::string& path, const Tensor& tensor) {
  const SparseTensor* const sparse = tensor.sparse();
  TextSink sink(path);
  if (sparse != nullptr) {
    write_head(sink, tensor, sparse->listed(), sparse->unlisted() == Unlisted::missing);
    for (std::size_t i = 0; i < sparse->listed(); ++i) {
      write_entry(sink, sparse->records().cell(i), sparse->records().value(i));
    }
  } else {
    const DenseTensor& dense = *tensor.dense();
    const bool some_missing = dense.observed() < dense.cells();
    write_head(sink, tensor, listed_cells(dense, some_missing), some_missing);
    write_dense(sink, dense, some_missing);
  }
  sink.commit();
}

}  // namespace polyad
