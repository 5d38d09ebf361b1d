// Models: a KTensor with labels and everything that a model file keeps about the fit it comes from.

#include "module.hpp"

#include <polyad/model.hpp>

#include <cstring>

namespace polyad::python {

namespace {

// Columns of a trace, and of the figures of slices, as they travel to Python.
constexpr py::ssize_t trace_columns = 5;
constexpr py::ssize_t slice_columns = 5;

KTensor ktensor_of(const Numbers& weights, const std::vector<Numbers>& factors) {
  if (weights.ndim() != 1) fail(ErrorKind::data, "weights must be one number per component");
  const auto rank = static_cast<std::size_t>(weights.size());
  std::vector<std::uint64_t> extents;
  std::vector<std::vector<double>> matrices;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const Numbers& factor = factors[k];
    if (factor.ndim() != 2 || static_cast<std::size_t>(factor.shape(1)) != rank) {
      fail(ErrorKind::data, "the factor of mode {} must have one row per index and {} columns, one per weight", k + 1,
           rank);
    }
    extents.push_back(static_cast<std::uint64_t>(factor.shape(0)));
    matrices.emplace_back(factor.data(), factor.data() + factor.size());
  }
  return model_of(extents, {weights.data(), weights.data() + weights.size()}, matrices);
}

ModelPointer model_from(const Numbers& weights, const std::vector<Numbers>& factors,
                        const std::vector<std::string>& names, std::vector<std::vector<std::string>> labels,
                        const std::string& options, const std::string& summary, const std::string& diagnostics,
                        const std::vector<Numbers>& traces, const std::vector<Numbers>& slices) {
  auto file = std::make_shared<ModelFile>();
  file->model = ktensor_of(weights, factors);
  file->labels = labels_of(names, std::move(labels));
  file->labels.check(IndexSpace(file->model.factors.extents()));
  file->options = Notes::from_text(options);
  file->summary = Notes::from_text(summary);
  file->diagnostics = Notes::from_text(diagnostics);
  for (const Numbers& table : traces) {
    Trace trace;
    const auto row = table.unchecked<2>();
    for (py::ssize_t i = 0; i < table.shape(0); ++i) {
      trace.push_back({static_cast<std::uint64_t>(row(i, 0)), row(i, 1), row(i, 2), row(i, 3), row(i, 4) != 0});
    }
    file->traces.push_back(std::move(trace));
  }
  for (const Numbers& table : slices) {
    std::vector<SliceFit> fits;
    const auto row = table.unchecked<2>();
    for (py::ssize_t i = 0; i < table.shape(0); ++i) {
      fits.push_back({row(i, 0), row(i, 1), row(i, 2), row(i, 3), row(i, 4)});
    }
    file->slices.push_back(std::move(fits));
  }
  return file;
}

py::list traces_of(const ModelFile& file) {
  py::list out;
  for (const Trace& trace : file.traces) {
    py::array_t<double> table({static_cast<py::ssize_t>(trace.size()), trace_columns});
    auto row = table.mutable_unchecked<2>();
    for (std::size_t n = 0; n < trace.size(); ++n) {
      const auto i = static_cast<py::ssize_t>(n);
      row(i, 0) = static_cast<double>(trace[n].epoch);
      row(i, 1) = trace[n].seconds;
      row(i, 2) = trace[n].estimate;
      row(i, 3) = trace[n].rate;
      row(i, 4) = trace[n].accepted ? 1 : 0;
    }
    out.append(std::move(table));
  }
  return out;
}

py::list slices_of(const ModelFile& file) {
  py::list out;
  for (const auto& fits : file.slices) {
    py::array_t<double> table({static_cast<py::ssize_t>(fits.size()), slice_columns});
    auto row = table.mutable_unchecked<2>();
    for (std::size_t n = 0; n < fits.size(); ++n) {
      const auto i = static_cast<py::ssize_t>(n);
      row(i, 0) = fits[n].loss;
      row(i, 1) = fits[n].null_loss;
      row(i, 2) = fits[n].best_loss;
      row(i, 3) = fits[n].observed;
      row(i, 4) = fits[n].expected;
    }
    out.append(std::move(table));
  }
  return out;
}

py::array_t<double> factor_of(const ModelFile& file, std::size_t mode) {
  const Factors& factors = file.model.factors;
  if (mode >= factors.modes()) throw py::index_error("no such mode");
  const std::size_t rank = factors.rank();
  py::array_t<double> out({static_cast<py::ssize_t>(factors.rows(mode)), static_cast<py::ssize_t>(rank)});
  double* to = out.mutable_data();
  for (std::size_t i = 0; i < factors.rows(mode); ++i, to += rank) {
    std::memcpy(to, factors.row(mode, i), rank * sizeof(double));
  }
  return out;
}

// The same model in another form. What was said of it elsewhere stays only where the components are the same.
ModelPointer arranged(const ModelFile& file, const std::string& norm, bool sort, bool signs,
                      std::optional<std::size_t> into_mode) {
  auto out = std::make_shared<ModelFile>();
  out->model = file.model;
  out->labels = file.labels;
  out->options = file.options;
  if (norm != "one" && norm != "two") fail(ErrorKind::usage, "`norm` must be 'one' or 'two' (is '{}')", norm);
  normalize(out->model, norm == "one" ? ColumnNorm::one : ColumnNorm::two);
  if (signs) resolve_signs(out->model);
  if (sort) sort_by_size(out->model);
  if (into_mode) normalize(out->model, norm == "one" ? ColumnNorm::one : ColumnNorm::two, into_mode);
  return out;
}

py::array_t<double> values_of(const ModelFile& file, const Indices& cells) {
  const py::ssize_t size = cells.empty() ? 0 : cells[0].size();
  const Records records = records_of(cells, Numbers(std::vector<py::ssize_t>{size}), py::none());
  std::vector<double> values;
  {
    const py::gil_scoped_release unlock;
    if (records.modes() != file.model.modes()) {
      fail(ErrorKind::data, "cells have {} indices each, the model has {} modes", records.modes(), file.model.modes());
    }
    values = values_at(file.model, records);
  }
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

}  // namespace

void add_models(py::module_& m) {
  py::class_<ModelFile, ModelPointer>(m, "Model", "Factors, weights and labels, and how they were found.")
      .def(py::init(&model_from), py::arg("weights"), py::arg("factors"), py::arg("names"), py::arg("labels"),
           py::arg("options") = "{}", py::arg("summary") = "{}", py::arg("diagnostics") = "{}",
           py::arg("traces") = std::vector<Numbers>(), py::arg("slices") = std::vector<Numbers>())
      .def_static(
          "open",
          [](const std::string& path) {
            const py::gil_scoped_release unlock;
            return std::make_shared<ModelFile>(read_model(path));
          },
          py::arg("path"))
      .def_property_readonly("rank", [](const ModelFile& f) { return f.model.rank(); })
      .def_property_readonly("shape",
                             [](const ModelFile& f) {
                               py::tuple shape(f.model.modes());
                               for (std::size_t k = 0; k < f.model.modes(); ++k) shape[k] = f.model.factors.rows(k);
                               return shape;
                             })
      .def("weights",
           [](const ModelFile& f) {
             return py::array_t<double>(static_cast<py::ssize_t>(f.model.rank()), f.model.weights.data());
           })
      .def("factor", &factor_of, py::arg("mode"))
      .def_property_readonly("mode_names",
                             [](const ModelFile& f) {
                               std::vector<std::string> names(f.model.modes());
                               for (std::size_t k = 0; k < f.labels.modes(); ++k) names[k] = f.labels.mode(k).name;
                               return names;
                             })
      .def(
          "labels",
          [](const ModelFile& f, std::size_t mode) {
            return mode < f.labels.modes() ? f.labels.mode(mode).entries : std::vector<std::string>();
          },
          py::arg("mode"))
      .def_property_readonly("options", [](const ModelFile& f) { return f.options.text(); })
      .def_property_readonly("summary", [](const ModelFile& f) { return f.summary.text(); })
      .def_property_readonly("diagnostics", [](const ModelFile& f) { return f.diagnostics.text(); })
      .def("traces", &traces_of)
      .def("slices", &slices_of)
      .def("arranged", &arranged, py::arg("norm"), py::arg("sort"), py::arg("signs"), py::arg("into_mode"))
      .def("values_at", &values_of, py::arg("cells"))
      .def("norm", [](const ModelFile& f) { return norm(f.model); })
      .def(
          "score",
          [](const ModelFile& a, const ModelFile& b) {
            const Score s = score(a.model, b.model);
            py::list match;
            for (const std::size_t j : s.match) {
              match.append(j == Score::npos ? py::object(py::none()) : py::object(py::int_(j)));
            }
            return py::make_tuple(s.value, match, s.cosines);
          },
          py::arg("other"))
      .def(
          "save",
          [](const ModelFile& f, const std::string& path, bool mat73, bool raw) {
            const py::gil_scoped_release unlock;
            write_model(path, f, {.mat_version_73 = mat73, .raw = raw});
          },
          py::arg("path"), py::arg("mat73") = false, py::arg("raw") = false);
}

}  // namespace polyad::python
