#include <polyad/io/format.hpp>
#include <polyad/io/table/csv_rows.hpp>
#include <polyad/io/text/text_sink.hpp>
#include <polyad/tensor/tensor.hpp>

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

constexpr std::string_view csv_extensions[] = {".csv"};

// The listed (or observed) cells: a column per mode with labels, or numbers from 1, and `value`.
void write_csv_tensor(const std::string& path, const Tensor& tensor, const WriteOptions& options) {
  const bool raw = options.raw;
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

// Labelled factors: mode, index (from 1), label and a column per component; first a row with the weights.
void write_csv_model(const std::string& path, const ModelFile& file, const WriteOptions& options) {
  const bool raw = options.raw;
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

}  // namespace

extern constinit const FileFormat csv_format{
    .word = "csv",
    .name = ".csv",
    .what = "a table of separated values",
    .help = "tables for spreadsheets and statistics programs; read by `polyad import`",
    .extensions = csv_extensions,
    .text = true,
    .dense = KeepsDense::as_list,
    .sparse = true,
    .labels = true,
    .unlisted_missing = true,
    .missing = "cells that are not listed",
    .write_tensor = write_csv_tensor,
    .write_model = write_csv_model,
};

}  // namespace polyad
