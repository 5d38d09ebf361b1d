#include "polyad/data_options.hpp"
#include "polyad/command.hpp"

#include "polyad/terminal.hpp"

#include <polyad/base/fields.hpp>

#include <fmt/format.h>

#include <sstream>

namespace polyad::cli {

namespace {

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

void apply_labels(const std::vector<std::string>& arguments, const std::string& names, Tensor& tensor) {
  Labels labels = tensor.labels();
  const std::vector<std::string> mode_names = split_at_commas(names);
  if (mode_names.size() > labels.modes()) {
    fail(ErrorKind::usage, "--mode-names gives {} names, but the tensor has {} modes", mode_names.size(),
         labels.modes());
  }
  for (std::size_t k = 0; k < mode_names.size(); ++k) labels.mode(k).name = mode_names[k];
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos || equals == 0) {
      fail(ErrorKind::usage, "--labels: '{}' is not of the form MODE=FILE, where MODE is a name or a number from 1",
           argument);
    }
    const std::size_t mode = labels.find_mode(argument.substr(0, equals));
    const std::string path = argument.substr(equals + 1);
    labels.mode(mode).entries = read_labels(path);
    const std::size_t found = labels.mode(mode).entries.size();
    if (found != tensor.space().extent(mode)) {
      fail(ErrorKind::data, "{}: {} labels, but {} has {} indices; give --shape if the data do not use all of them",
           path, found, labels.mode_name(mode), tensor.space().extent(mode));
    }
  }
  tensor.set_labels(std::move(labels));
}

// Positions of listed cells in a dense tensor.
std::vector<std::uint64_t> positions(const DenseTensor& dense, const Records& cells) {
  std::vector<std::uint64_t> out;
  out.reserve(cells.size());
  for (std::size_t t = 0; t < cells.size(); ++t) out.push_back(dense.position({cells.index(t), cells.modes()}));
  return out;
}

// The cells among `cells` that are data, with their values.
Records values_in(const Tensor& tensor, const Records& cells) {
  Records found(cells.modes());
  for (std::size_t t = 0; t < cells.size(); ++t) {
    if (const DenseTensor* dense = tensor.dense()) {
      const std::uint64_t position = dense->position(cells.cell(t));
      if (!dense->missing(position)) found.append(cells.index(t), dense->value(position));
      continue;
    }
    const SparseTensor& sparse = *tensor.sparse();
    const std::uint32_t record = sparse.find(cells.index(t));
    if (record != CellSet::absent) {
      found.append(cells.index(t), sparse.records().value(record));
    } else if (sparse.unlisted() == Unlisted::zero && !sparse.is_missing(cells.index(t))) {
      found.append(cells.index(t), 0);
    }
  }
  return found;
}

void apply_missing(const std::string& path, std::optional<int> base, Tensor& tensor, Remarks& remarks,
                   Records* held_out) {
  const Records cells = read_cells(path, tensor.space(), base, &remarks);
  if (held_out != nullptr) *held_out = values_in(tensor, cells);
  if (DenseTensor* dense = tensor.dense()) {
    dense->set_missing(positions(*dense, cells));
  } else {
    BuildReport report;
    tensor.sparse()->set_missing(cells, &report);
    if (report.masked_dropped > 0) {
      remarks.push_back(fmt::format("{} listed entries are in missing cells and were dropped", report.masked_dropped));
    }
  }
  remarks.push_back(fmt::format("{} cells declared missing by {}", grouped(cells.size()), path));
}

void apply_weights(const std::string& path, std::optional<int> base, Tensor& tensor, Remarks& remarks) {
  if (SparseTensor* sparse = tensor.sparse()) {
    sparse->set_weights(read_cells(path, tensor.space(), base, &remarks));
    return;
  }
  const Tensor weights = read_tensor(path, {}, &remarks);
  if (!weights.dense() || !(weights.space() == tensor.space())) {
    fail(ErrorKind::data, "{}: weights of a dense tensor must be dense and of the same shape ({})", path,
         tensor.space().to_string());
  }
  const auto values = weights.dense()->values();
  tensor.dense()->set_weights({values.begin(), values.end()});
}

}  // namespace

void DataOptions::add_file_to(Command& command) {
  command
      .add_option("DATA", path,
                  "file: .tns (FROSTT), Tensor Toolbox text (both also .gz, .zst), .npy, .npz, .mat, polyad .h5")
      .required();
}

void DataOptions::add_options_to(Command& command) {
  const std::string group = "Data";
  command.add_option("--base", base, "index base of a .tns file; otherwise detected and stated")
      .type_name("0|1")
      .range(0, 1)
      .group(group);
  command.add_option("--variable", variable, "which array or struct of a .mat or .npz file that holds several")
      .type_name("NAME")
      .group(group);
  command.add_option("--shape", shape, "dimensions such as 200x150x100; otherwise from the file")
      .type_name("SHAPE")
      .group(group);
  command.add_option("--labels", labels, "labels of a mode, one a line: MODE=FILE, the mode by name or number")
      .type_name("MODE=FILE")
      .repeatable()
      .group(group);
  command.add_option("--mode-names", mode_names, "names of the modes, comma-separated: day,hour,area,type")
      .type_name("NAMES")
      .group(group);
  command
      .add_option_function(
          "--unlisted", [this](const std::string& text) { parse_value("--unlisted", text, unlisted); },
          "what cells are that a sparse file does not list")
      .type_name("zero|missing")
      .default_str("zero")
      .group(group);
  command
      .add_option_function(
          "--memory-map", [this](const std::string& text) { parse_value("--memory-map", text, mapping); },
          "map a polyad .h5 or a .npy of f8 instead of reading it; auto: where it is over 256 MB")
      .type_name("auto|always|never")
      .default_str("auto")
      .group(group);
  command.add_option("--missing", missing, "cells that are missing: a .tns file whose indices count")
      .type_name("FILE")
      .group(group);
  command
      .add_option(
          "--weights", weights,
          "weights of entries: .npy of the data's shape, or .tns with a weight a cell for sparse data (0: missing)")
      .type_name("FILE")
      .group(group);
  command.add_option("--zero-weight", zero_weight, "weight of every unlisted zero (sparse data)")
      .type_name("NUMBER")
      .group(group);
}

ReadOptions DataOptions::read_options() const {
  ReadOptions options;
  options.base = base;
  options.variable = variable;
  options.mapping = mapping;
  options.unlisted = unlisted;
  if (!shape.empty()) {
    const IndexSpace space = parse_shape(shape);
    options.shape = std::vector<std::uint64_t>(space.extents().begin(), space.extents().end());
  }
  return options;
}

void DataOptions::apply_labels_to(Tensor& tensor) const {
  apply_labels(labels, mode_names, tensor);
}

Tensor DataOptions::read(bool quiet, Records* held_out) const {
  Remarks remarks;
  Tensor tensor = read_tensor(path, read_options(), &remarks);
  apply_labels_to(tensor);
  if (!weights.empty()) apply_weights(weights, base, tensor, remarks);
  if (!missing.empty()) apply_missing(missing, base, tensor, remarks, held_out);
  if (zero_weight) {
    if (!tensor.is_sparse()) fail(ErrorKind::usage, "--zero-weight is for sparse data; {} is dense", path);
    tensor.sparse()->set_zero_weight(*zero_weight);
  }
  if (!quiet) {
    fmt::print(stderr, "Read {}: {}\n", path, describe(tensor));
    for (const std::string& remark : remarks) fmt::print(stderr, "  {}\n", as_flags(remark));
  }
  return tensor;
}

std::string describe(const Tensor& tensor) {
  const IndexSpace& space = tensor.space();
  if (const DenseTensor* dense = tensor.dense()) {
    const std::uint64_t missing = dense->cells() - dense->observed();
    return fmt::format("{}, dense, {} cells{}", space.to_string(), grouped(dense->cells()),
                       missing > 0 ? fmt::format(", {} of them missing", grouped(missing)) : "");
  }
  const SparseTensor& sparse = *tensor.sparse();
  if (sparse.unlisted() == Unlisted::missing) {
    return fmt::format("{}, {} observed cells, all others missing", space.to_string(), grouped(sparse.listed()));
  }
  return fmt::format("{}, {} nonzeros ({:.3g} % of {} cells{})", space.to_string(), grouped(sparse.listed()),
                     100.0 * static_cast<double>(sparse.listed()) / space.cells(), grouped(space.cells()),
                     sparse.missing_cells() > 0 ? fmt::format(", {} missing", grouped(sparse.missing_cells())) : "");
}

}  // namespace polyad::cli
