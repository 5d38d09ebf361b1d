#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>
#include <polyad/io/text/text_source.hpp>
#include <polyad/io/text/unicode.hpp>
#include <polyad/tensor.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

namespace polyad {
namespace {

// What a format has no place for is refused where losing it would change the data.
void refuse_what_has_no_place(const std::string& path, const Tensor& tensor, const FileFormat& format) {
  const auto refuse = [&](std::string_view what) {
    fail(ErrorKind::usage, "cannot write '{}': {} has no place for {}; write .h5 instead", path, format.name, what);
  };
  const SparseTensor* const sparse = tensor.sparse();
  if (sparse != nullptr && !format.sparse) {
    fail(ErrorKind::usage,
         "cannot write '{}': {} is for dense tensors and this one is sparse; write .tns or .h5 instead", path,
         format.name);
  }
  if (!format.weights && (sparse != nullptr ? sparse->weighted() : tensor.dense()->weighted())) refuse("weights");
  if (sparse == nullptr) return;
  if (!format.weights && sparse->missing_cells() > 0) refuse("a list of missing cells");
  if (!format.unlisted_missing && sparse->unlisted() == Unlisted::missing) refuse("cells that are missing");
}

const FileFormat& readable_format(const InputFile& file) {
  if (const FileFormat* format = format_of(file)) return *format;
  fail(ErrorKind::data, "'{}' is {}; polyad reads {}", file.path(), format_name(file), readable_extensions());
}

}  // namespace

FileHolds what_file_holds(const std::string& path) {
  InputFile file(path);
  const FileFormat* const format = format_of(file);
  const bool model = format != nullptr && format->holds_model != nullptr && format->holds_model(file);
  return model ? FileHolds::model : FileHolds::tensor;
}

Tensor read_tensor(const std::string& path, const ReadOptions& options, Remarks* remarks) {
  if (options.base && *options.base != 0 && *options.base != 1) {
    fail(ErrorKind::usage, "`base` must be 0 or 1 (is {})", *options.base);
  }
  InputFile file(path, options.unpacked_limit);
  return readable_format(file).read_tensor(file, options, remarks);
}

void write_tensor(const std::string& path, const Tensor& tensor, const WriteOptions& options) {
  const FileFormat& format = output_format(path, FileHolds::tensor);
  refuse_what_has_no_place(path, tensor, format);
  format.write_tensor(path, tensor, options);
}

bool keeps_labels(const std::string& path, FileHolds what) {
  return output_format(path, what).labels;
}

void check_output(const std::string& path, FileHolds what) {
  (void)output_format(path, what);
  check_writable(path);
}

namespace {

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

// Positions of listed cells in a dense tensor.
std::vector<std::uint64_t> positions(const DenseTensor& dense, const Records& cells) {
  std::vector<std::uint64_t> out;
  out.reserve(cells.size());
  for (std::size_t t = 0; t < cells.size(); ++t) out.push_back(dense.position({cells.index(t), cells.modes()}));
  return out;
}

// So many more labels than indices that their exact number does not matter.
constexpr std::uint64_t labels_too_many = 1000;

// How files of cells beside the data are read.
ReadOptions read_options_of_cells(const DataOptions& options) {
  ReadOptions read;
  read.base = options.base;
  read.unpacked_limit = options.unpacked_limit;
  return read;
}

void apply_missing(const std::string& path, const ReadOptions& options, Tensor& tensor, Remarks& remarks,
                   Records& held_out) {
  const Records cells = read_cells(path, tensor.space(), options, &remarks);
  held_out = values_in(tensor, cells);
  if (DenseTensor* dense = tensor.dense()) {
    dense->set_missing(positions(*dense, cells));
  } else {
    BuildReport report;
    tensor.sparse()->set_missing(cells, &report);
    if (report.masked_dropped > 0) {
      remarks.push_back(fmt::format("{} listed entries are in missing cells and were dropped", report.masked_dropped));
    }
  }
  remarks.push_back(fmt::format("{} cells declared missing by {}", format_count(cells.size()), path));
}

void apply_weights(const std::string& path, const ReadOptions& options, Tensor& tensor, Remarks& remarks) {
  if (SparseTensor* sparse = tensor.sparse()) {
    sparse->set_weights(read_cells(path, tensor.space(), options, &remarks));
    return;
  }
  ReadOptions dense;
  dense.unpacked_limit = options.unpacked_limit;
  const Tensor weights = read_tensor(path, dense, &remarks);
  if (!weights.dense() || !(weights.space() == tensor.space())) {
    fail(ErrorKind::data, "{}: weights of a dense tensor must be dense and of the same shape ({})", path,
         tensor.space().to_string());
  }
  const auto values = weights.dense()->values();
  tensor.dense()->set_weights({values.begin(), values.end()});
}

}  // namespace

std::vector<std::string> read_labels(const std::string& path, std::uint64_t most) {
  TextSource source(path);
  std::vector<std::string> labels;
  std::string_view line;
  while (source.next_line(line)) {
    if (!is_utf8(line)) {
      fail_at(path, source.line(), "the label '{}' is not valid UTF-8; save the file as UTF-8", excerpt(line));
    }
    labels.emplace_back(line);
    if (labels.size() > most + labels_too_many)
      break;  // a small file may unpack to more labels than there is memory for
  }
  // An empty line at the end is the editor's, not a label.
  if (!labels.empty() && labels.back().empty()) labels.pop_back();
  if (labels.empty()) fail(ErrorKind::data, "'{}' holds no labels: give one per line, in index order", path);
  return labels;
}

void apply_labels(const DataOptions& options, Tensor& tensor) {
  Labels labels = tensor.labels();
  const std::vector<std::string> mode_names = split_at_commas(options.mode_names);
  if (mode_names.size() > labels.modes()) {
    fail(ErrorKind::usage, "{} gives {} names, but the tensor has {} modes", option_name("mode-names"),
         mode_names.size(), labels.modes());
  }
  for (std::size_t k = 0; k < mode_names.size(); ++k) labels.mode(k).name = mode_names[k];
  for (const std::string& argument : options.labels) {
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos || equals == 0) {
      fail(ErrorKind::usage, "{}: '{}' is not of the form MODE=FILE, where MODE is a name or a number from 1",
           option_name("labels"), argument);
    }
    const std::size_t mode = labels.find_mode(argument.substr(0, equals));
    const std::string path = argument.substr(equals + 1);
    const std::uint64_t indices = tensor.space().extent(mode);
    labels.mode(mode).entries = read_labels(path, indices);
    const std::size_t found = labels.mode(mode).entries.size();
    if (found != indices) {
      const bool not_all_read = found >= indices + labels_too_many;
      fail(ErrorKind::data, "{}: {}{} labels, but {} has {} indices; give `shape` if the data do not use all of them",
           path, not_all_read ? "at least " : "", found, labels.mode_name(mode), indices);
    }
  }
  tensor.set_labels(std::move(labels));
}

ReadOptions read_options(const DataOptions& options) {
  ReadOptions read;
  read.base = options.base;
  read.values = options.values;
  read.unpacked_limit = options.unpacked_limit;
  read.variable = options.variable;
  read.mapping = options.mapping;
  read.unlisted = options.unlisted;
  if (!options.shape.empty()) {
    const IndexSpace space = parse_shape(options.shape);
    read.shape = std::vector<std::uint64_t>(space.extents().begin(), space.extents().end());
  }
  return read;
}

namespace {

bool is_table(const std::string& path) {
  std::filesystem::path name(path);
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  return name.extension() == ".csv" || name.extension() == ".tsv";
}

OpenedData complete(Tensor tensor, const std::string& path, const DataOptions& options, Remarks remarks) {
  apply_labels(options, tensor);
  if (!options.weights.empty()) apply_weights(options.weights, read_options_of_cells(options), tensor, remarks);
  Records held_out(tensor.space().modes());
  if (!options.missing.empty())
    apply_missing(options.missing, read_options_of_cells(options), tensor, remarks, held_out);
  if (options.zero_weight) {
    if (!tensor.is_sparse())
      fail(ErrorKind::usage, "{} is for sparse data; {} is dense", option_name("zero-weight"), path);
    tensor.sparse()->set_zero_weight(*options.zero_weight);
  }
  return {std::move(tensor), std::move(held_out), std::move(remarks)};
}

}  // namespace

OpenedData open_data(const std::string& path, const DataOptions& options) {
  validate_fields(options);
  Remarks remarks;
  Tensor tensor = read_tensor(path, read_options(options), &remarks);
  return complete(std::move(tensor), path, options, std::move(remarks));
}

OpenedData open_new_data(const std::string& path, const DataOptions& options, const Labels& model_labels,
                         const std::string& model_path) {
  if (!is_table(path)) return open_data(path, options);
  validate_fields(options);
  Remarks remarks;
  ImportReport report;
  Tensor tensor = import_table(path, import_options_of(model_labels, model_path), report, &remarks);
  remarks.push_back(fmt::format("{} rows of the table read, {} used, by the columns that the model's data were made of",
                                format_count(report.rows), format_count(report.used)));
  return complete(std::move(tensor), path, options, std::move(remarks));
}

}  // namespace polyad
