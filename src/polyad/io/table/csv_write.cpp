#include <polyad/base/error.hpp>
#include <polyad/io/refuse_loss.hpp>
#include <polyad/io/table/csv_cell.hpp>
#include <polyad/io/table/csv_write.hpp>
#include <polyad/io/text/text_sink.hpp>

#include <cmath>
#include <iterator>

namespace polyad {
namespace {

void put_csv_text(TextSink& sink, std::string_view text, bool raw) {
  sink.buffer().append(csv_cell(text, raw));
}

void put_csv_number(TextSink& sink, double value) {
  if (!std::isnan(value)) fmt::format_to(std::back_inserter(sink.buffer()), "{}", value);
}

void put_csv_entry(TextSink& sink, const Labels& labels, std::span<const Index> index, double value, bool raw) {
  for (std::size_t k = 0; k < index.size(); ++k) {
    put_csv_text(sink, labels.entry(k, index[k]), raw);
    sink.buffer().push_back(',');
  }
  put_csv_number(sink, value);
  sink.buffer().push_back('\n');
  sink.flush_if_full();
}

}  // namespace

void write_csv_tensor(const std::string& path, const Tensor& tensor, bool raw) {
  refuse_what_has_no_place(path, tensor, ".csv", /*unlisted_missing=*/true);
  TextSink sink(path);
  for (std::size_t k = 0; k < tensor.space().modes(); ++k) {
    put_csv_text(sink, tensor.labels().mode_name(k), raw);
    sink.buffer().push_back(',');
  }
  sink.buffer().append(std::string_view("value\n"));
  if (const SparseTensor* sparse = tensor.sparse()) {
    for (std::size_t i = 0; i < sparse->listed(); ++i) {
      put_csv_entry(sink, tensor.labels(), sparse->records().cell(i), sparse->records().value(i), raw);
    }
  } else {
    std::vector<Index> index(tensor.space().modes());
    for (std::uint64_t cell = 0; cell < tensor.dense()->cells(); ++cell) {
      if (tensor.dense()->missing(cell)) continue;
      tensor.dense()->index_of(cell, index);
      put_csv_entry(sink, tensor.labels(), index, tensor.dense()->value(cell), raw);
    }
  }
  sink.commit();
}

void write_csv_model(const std::string& path, const ModelFile& file, bool raw) {
  const Factors& factors = file.model.factors;
  TextSink sink(path);
  auto out = std::back_inserter(sink.buffer());
  fmt::format_to(out, "mode,index,label");
  for (std::size_t j = 0; j < factors.rank(); ++j) fmt::format_to(out, ",component {}", j + 1);
  fmt::format_to(out, "\nweights,,");
  for (const double weight : file.model.weights) {
    sink.buffer().push_back(',');
    put_csv_number(sink, weight);
  }
  sink.buffer().push_back('\n');
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    for (std::size_t i = 0; i < factors.rows(k); ++i) {
      put_csv_text(sink, file.labels.mode_name(k), raw);
      fmt::format_to(std::back_inserter(sink.buffer()), ",{},", i + 1);
      put_csv_text(sink, file.labels.mode(k).entries.empty() ? "" : file.labels.mode(k).entries[i], raw);
      for (std::size_t j = 0; j < factors.rank(); ++j) {
        sink.buffer().push_back(',');
        put_csv_number(sink, factors.at(k, i, j));
      }
      sink.buffer().push_back('\n');
      sink.flush_if_full();
    }
  }
  sink.commit();
}

}  // namespace polyad
