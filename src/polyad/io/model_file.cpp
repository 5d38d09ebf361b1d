#include <polyad/base/error.hpp>
#include <polyad/io/file_errors.hpp>
#include <polyad/io/hdf5_labels.hpp>
#include <polyad/io/hdf5_reader.hpp>
#include <polyad/io/hdf5_writer.hpp>
#include <polyad/io/input_file.hpp>
#include <polyad/io/model_file.hpp>

#include <algorithm>
#include <cstddef>

namespace polyad {
namespace {

// A trace row as it lies in memory here and, packed by HDF5's conversion, in the file.
struct StoredRow {
  std::uint64_t epoch;
  double seconds;
  double estimate;
  double rate;
  std::uint8_t accepted;
};

Hdf5Id memory_row_type() {
  Hdf5Id type(H5Tcreate(H5T_COMPOUND, sizeof(StoredRow)), H5Tclose);
  H5Tinsert(type.get(), "epoch", offsetof(StoredRow, epoch), H5T_NATIVE_UINT64);
  H5Tinsert(type.get(), "seconds", offsetof(StoredRow, seconds), H5T_NATIVE_DOUBLE);
  H5Tinsert(type.get(), "estimate", offsetof(StoredRow, estimate), H5T_NATIVE_DOUBLE);
  H5Tinsert(type.get(), "rate", offsetof(StoredRow, rate), H5T_NATIVE_DOUBLE);
  H5Tinsert(type.get(), "accepted", offsetof(StoredRow, accepted), H5T_NATIVE_UINT8);
  return type;
}

Hdf5Id file_row_type() {
  Hdf5Id type(H5Tcreate(H5T_COMPOUND, 33), H5Tclose);
  H5Tinsert(type.get(), "epoch", 0, H5T_STD_U64LE);
  H5Tinsert(type.get(), "seconds", 8, H5T_IEEE_F64LE);
  H5Tinsert(type.get(), "estimate", 16, H5T_IEEE_F64LE);
  H5Tinsert(type.get(), "rate", 24, H5T_IEEE_F64LE);
  H5Tinsert(type.get(), "accepted", 32, H5T_STD_U8LE);
  return type;
}

void write_factors(Hdf5Writer& file, const KTensor& model) {
  const std::size_t rank = model.rank();
  file.group("/model");
  const std::uint64_t components[] = {rank};
  file.dataset("/model/weights", model.weights, components);
  file.group("/model/factors");
  std::vector<double> unpadded;
  for (std::size_t k = 0; k < model.modes(); ++k) {
    unpadded.clear();
    for (std::size_t i = 0; i < model.factors.rows(k); ++i) {
      const double* row = model.factors.row(k, i);
      unpadded.insert(unpadded.end(), row, row + rank);
    }
    const std::uint64_t shape[] = {model.factors.rows(k), rank};
    file.dataset(fmt::format("/model/factors/{}", k + 1), unpadded, shape);
  }
}

KTensor read_factors(const Hdf5Reader& file) {
  const auto weights = file.open("/model/weights");
  if (weights.shape.size() != 1 || weights.elements == 0) file.damaged(weights.name, "is not a list of weights");
  const std::size_t rank = weights.elements;
  const std::size_t modes = file.count_numbered("/model/factors");
  if (modes == 0) file.damaged("/model/factors/1", "is missing");
  std::vector<Hdf5Reader::Dataset> matrices;
  std::vector<std::uint64_t> extents;
  for (std::size_t k = 0; k < modes; ++k) {
    matrices.push_back(file.open(fmt::format("/model/factors/{}", k + 1)));
    const auto& shape = matrices.back().shape;
    if (shape.size() != 2 || shape[1] != rank) {
      file.damaged(matrices.back().name, fmt::format("has {} columns, /model/weights has {} components",
                                                     shape.size() == 2 ? shape[1] : 0, rank));
    }
    extents.push_back(shape[0]);
  }
  in_file(file.path(), [&] { (void)IndexSpace(extents); });
  KTensor model(Factors(extents, rank));
  file.read(weights, model.weights.data());
  std::vector<double> unpadded;
  for (std::size_t k = 0; k < modes; ++k) {
    unpadded.resize(matrices[k].elements);
    file.read(matrices[k], unpadded.data());
    for (std::size_t i = 0; i < extents[k]; ++i) {
      std::copy_n(unpadded.data() + i * rank, rank, model.factors.row(k, i));
    }
  }
  return model;
}

void write_traces(Hdf5Writer& file, const std::vector<Trace>& traces) {
  file.group("/trace");
  const Hdf5Id memory = memory_row_type();
  const Hdf5Id stored = file_row_type();
  std::vector<StoredRow> rows;
  for (std::size_t start = 0; start < traces.size(); ++start) {
    rows.clear();
    for (const TraceRow& row : traces[start]) {
      rows.push_back({row.epoch, row.seconds, row.estimate, row.rate, static_cast<std::uint8_t>(row.accepted)});
    }
    file.table(fmt::format("/trace/{}", start + 1), stored.get(), memory.get(), rows.data(), rows.size());
  }
}

std::vector<Trace> read_traces(const Hdf5Reader& file) {
  const Hdf5Id memory = memory_row_type();
  std::vector<Trace> traces(file.count_numbered("/trace"));
  for (std::size_t start = 0; start < traces.size(); ++start) {
    const auto dataset = file.open(fmt::format("/trace/{}", start + 1));
    std::vector<StoredRow> rows(dataset.elements);
    file.read_table(dataset, memory.get(), rows.data());
    for (const StoredRow& row : rows) {
      traces[start].push_back({row.epoch, row.seconds, row.estimate, row.rate, row.accepted != 0});
    }
  }
  return traces;
}

std::string json_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json read_json(const Hdf5Reader& file, const std::string& group) {
  if (!file.has(group)) return Json::object();
  Json json = Json::parse(file.text_attribute(group, "json"), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) file.damaged(group, "attribute json is not valid JSON");
  return json;
}

std::uint64_t estimated_bytes(const ModelFile& file) {
  std::uint64_t bytes = 64 * 1024 + file.model.factors.flat().size_bytes();
  for (std::size_t k = 0; k < file.labels.modes(); ++k) bytes += 64 * file.labels.mode(k).entries.size();
  return bytes;
}

}  // namespace

void write_model(const std::string& path, const ModelFile& file) {
  const IndexSpace space(file.model.factors.extents());
  if (file.model.weights.size() != file.model.factors.rank()) {
    fail(ErrorKind::data, "cannot write '{}': the model has {} weights for {} components", path,
         file.model.weights.size(), file.model.factors.rank());
  }
  if (file.labels.modes() != 0) file.labels.check(space);
  Hdf5Writer out(path, "model", estimated_bytes(file));
  write_factors(out, file.model);
  write_hdf5_labels(out, file.labels);
  out.group("/options");
  out.attribute("/options", "json", json_text(file.options));
  out.group("/summary");
  out.attribute("/summary", "json", json_text(file.summary));
  write_traces(out, file.traces);
  out.commit();
}

ModelFile read_model(const std::string& path) {
  {
    const InputFile input(path);
    if (input.format() != FileFormat::hdf5) {
      fail(ErrorKind::data, "'{}' is {}, not a model; 'polyad fit' makes models from tensors", path,
           format_name(input));
    }
  }
  const Hdf5Reader in(path, "model");
  ModelFile file;
  file.model = read_factors(in);
  file.labels = read_hdf5_labels(in, IndexSpace(file.model.factors.extents()));
  file.options = read_json(in, "/options");
  file.summary = read_json(in, "/summary");
  file.traces = read_traces(in);
  return file;
}

}  // namespace polyad
