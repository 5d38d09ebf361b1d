#include <polyad/io/refuse_loss.hpp>
#include <polyad/io/table/csv_write.hpp>
#include <polyad/io/text/text_sink.hpp>

#include <cmath>
#include <iterator>

namespace polyad {
namespace {

// Quoted where the text would otherwise be taken apart.
void put_csv_text(TextSink& sink, std::string_view text) {
  fmt::memory_buffer& out = sink.buffer();
  if (text.find_first_of(",;\t\"\r\n") == std::string_view::npos && !text.starts_with(' ') && !text.ends_with(' ')) {
    out.append(text);
    return;
  }
  out.push_back('"');
  for (const char c : text) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
}

void put_csv_number(TextSink& sink, double value) {
  if (!std::isnan(value)) fmt::format_to(std::back_inserter(sink.buffer()), "{}", value);
}

void put_csv_entry(TextSink& sink, const Labels& labels, std::span<const Index> index, double value) {
  for (std::size_t k = 0; k < index.size(); ++k) {
    put_csv_text(sink, labels.entry(k, index[k]));
    sink.buffer().push_back(',');
  }
  put_csv_number(sink, value);
  sink.buffer().push_back('\n');
  sink.flush_if_full();
}

}  // namespace

void write_csv_tensor(const std::string& path, const Tensor& tensor) {
  refuse_what_has_no_place(path, tensor, ".csv", /*unlisted_missing=*/true);
  TextSink sink(path);
  for (std::size_t k = 0; k < tensor.space().modes(); ++k) {
    put_csv_text(sink, tensor.labels().mode_name(k));
    sink.buffer().push_back(',');
  }
  sink.buffer().append(std::string_view("value\n"));
  if (const SparseTensor* sparse = tensor.sparse()) {
    for (std::size_t i = 0; i < sparse->listed(); ++i) {
      put_csv_entry(sink, tensor.labels(), sparse->records().cell(i), sparse->records().value(i));
    }
  } else {
    std::vector<Index> index(tensor.space().modes());
    for (std::uint64_t cell = 0; cell < tensor.dense()->cells(); ++cell) {
      if (tensor.dense()->missing(cell)) continue;
      tensor.dense()->index_of(cell, index);
      put_csv_entry(sink, tensor.labels(), index, tensor.dense()->value(cell));
    }
  }
  sink.commit();
}

void write_csv_model(const std::string& path, const ModelFile& file) {
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
      put_csv_text(sink, file.labels.mode_name(k));
      fmt::format_to(std::back_inserter(sink.buffer()), ",{},", i + 1);
      put_csv_text(sink, file.labels.mode(k).entries.empty() ? "" : file.labels.mode(k).entries[i]);
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
