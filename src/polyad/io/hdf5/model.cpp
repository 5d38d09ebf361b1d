#include <polyad/base/error.hpp>
#include <polyad/io/hdf5/hdf5.hpp>
#include <polyad/io/hdf5/parts.hpp>
#include <polyad/io/hdf5/reader.hpp>
#include <polyad/io/hdf5/writer.hpp>
#include <polyad/io/isolated/pack.hpp>
#include <polyad/io/messages.hpp>

#include <fmt/format.h>

namespace polyad {
namespace {

void write_factors(Hdf5Writer& file, const KTensor& model) {
  const std::size_t rank = model.rank();
  file.group("/model");
  const std::uint64_t components[] = {rank};
  file.dataset("/model/weights", model.weights, components);
  file.group("/model/factors");
  for (std::size_t k = 0; k < model.modes(); ++k) {
    const std::uint64_t shape[] = {model.factors.rows(k), rank};
    file.dataset(fmt::format("/model/factors/{}", k + 1), unpadded(model.factors, k), shape);
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
  std::vector<double> lambda(rank);
  file.read(weights, lambda.data());
  std::vector<std::vector<double>> values(modes);
  for (std::size_t k = 0; k < modes; ++k) {
    values[k].resize(matrices[k].elements);
    file.read(matrices[k], values[k].data());
  }
  return in_file(file.path(), [&] { return model_of(extents, std::move(lambda), values); });
}

void write_traces(Hdf5Writer& file, const std::vector<Trace>& traces) {
  file.group("/trace");
  for (std::size_t start = 0; start < traces.size(); ++start) {
    write_hdf5_trace(file, fmt::format("/trace/{}", start + 1), traces[start]);
  }
}

std::vector<Trace> read_traces(const Hdf5Reader& file) {
  std::vector<Trace> traces(file.count_numbered("/trace"));
  for (std::size_t start = 0; start < traces.size(); ++start) {
    traces[start] = read_hdf5_trace(file, fmt::format("/trace/{}", start + 1));
  }
  return traces;
}

constexpr std::uint64_t slice_columns = 5;

void write_diagnostics(Hdf5Writer& file, const ModelFile& model) {
  if (model.diagnostics->json.empty() && model.slices.empty()) return;
  file.group("/diagnostics");
  file.attribute("/diagnostics", "json", text_of(model.diagnostics->json));
  file.group("/diagnostics/slices");
  std::vector<double> rows;
  for (std::size_t k = 0; k < model.slices.size(); ++k) {
    rows.clear();
    for (const SliceFit& s : model.slices[k]) {
      rows.insert(rows.end(), {s.loss, s.null_loss, s.best_loss, s.observed, s.expected});
    }
    const std::uint64_t shape[] = {model.slices[k].size(), slice_columns};
    file.dataset(fmt::format("/diagnostics/slices/{}", k + 1), rows, shape);
  }
}

std::vector<std::vector<SliceFit>> read_slices(const Hdf5Reader& file, const std::vector<std::uint64_t>& extents) {
  const std::size_t modes = file.has("/diagnostics/slices") ? file.count_numbered("/diagnostics/slices") : 0;
  if (modes == 0) return {};
  if (modes != extents.size()) file.damaged("/diagnostics/slices", "has another number of modes than the model");
  std::vector<std::vector<SliceFit>> slices(modes);
  std::vector<double> rows;
  for (std::size_t k = 0; k < modes; ++k) {
    const auto dataset = file.open(fmt::format("/diagnostics/slices/{}", k + 1));
    if (dataset.shape != std::vector<std::uint64_t>{extents[k], slice_columns}) {
      file.damaged(dataset.name, fmt::format("is not of shape {} x {}", extents[k], slice_columns));
    }
    rows.resize(dataset.elements);
    file.read(dataset, rows.data());
    for (std::size_t i = 0; i < extents[k]; ++i) {
      const double* row = rows.data() + i * slice_columns;
      slices[k].push_back({row[0], row[1], row[2], row[3], row[4]});
    }
  }
  return slices;
}

}  // namespace

void write_hdf5_model(const std::string& path, const ModelFile& file) {
  const IndexSpace space(file.model.factors.extents());
  if (file.model.weights.size() != file.model.factors.rank()) {
    fail(ErrorKind::data, "cannot write '{}': the model has {} weights for {} components", path,
         file.model.weights.size(), file.model.factors.rank());
  }
  if (file.labels.modes() != 0) file.labels.check(space);
  Hdf5Writer out(path, "model");
  write_factors(out, file.model);
  write_hdf5_labels(out, file.labels);
  out.group("/options");
  out.attribute("/options", "json", text_of(file.options->json));
  out.group("/summary");
  out.attribute("/summary", "json", text_of(file.summary->json));
  write_traces(out, file.traces);
  write_diagnostics(out, file);
  out.commit();
}

ModelFile read_hdf5_model(const std::string& path) {
  const Hdf5Reader in(path, "model");
  ModelFile file;
  file.model = read_factors(in);
  file.labels = read_hdf5_labels(in, IndexSpace(file.model.factors.extents()));
  file.options->json = read_json_attribute(in, "/options");
  file.summary->json = read_json_attribute(in, "/summary");
  file.traces = read_traces(in);
  file.diagnostics->json = read_json_attribute(in, "/diagnostics");
  file.slices = read_slices(in, file.model.factors.extents());
  return file;
}

}  // namespace polyad
