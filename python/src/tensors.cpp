// Data in: arrays that are borrowed or copied, lists of cells, files.

#include "options.hpp"

#include <polyad/fit.hpp>
#include <polyad/tensor/tensor.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>

namespace polyad::python {

namespace {

// Keeps a Python object from any thread.
std::shared_ptr<const void> keep_object(py::object object) {
  PyObject* const pointer = object.release().ptr();
  return {pointer, [](const void* kept) {
            if (Py_IsInitialized() == 0) return;
            const py::gil_scoped_acquire lock;
            Py_DECREF(static_cast<PyObject*>(const_cast<void*>(kept)));
          }};
}

IndexSpace space_of(const py::array& values) {
  return IndexSpace(std::vector<std::uint64_t>(values.shape(), values.shape() + values.ndim()));
}

DataPointer data_of(Tensor tensor, std::string name) {
  const std::size_t modes = tensor.space().modes();
  return std::make_shared<Data>(Data{{std::move(tensor), Records(modes), {}}, std::move(name)});
}

// The array's memory is used in place, so it must be doubles in C order; the Python layer sees to that.
DataPointer dense(const py::array_t<double, py::array::c_style>& values, const std::string& name) {
  IndexSpace space = space_of(values);
  const double* const data = values.data();
  const auto size = static_cast<std::size_t>(values.size());
  auto kept = keep_object(values);
  const py::gil_scoped_release unlock;
  return data_of(Tensor(DenseTensor(std::move(space), Mappable<double>(data, size, std::move(kept)))), name);
}

std::vector<std::uint64_t> shape_from(const Records& records) {
  std::vector<std::uint64_t> extents(records.modes(), 0);
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (std::size_t k = 0; k < records.modes(); ++k) {
      extents[k] = std::max<std::uint64_t>(extents[k], std::uint64_t{records.index(i)[k]} + 1);
    }
  }
  return extents;
}

DataPointer sparse(const Indices& cells, const Numbers& values, const std::optional<std::vector<std::uint64_t>>& shape,
                   const py::object& weights, const std::string& unlisted, const std::string& name) {
  Records records = records_of(cells, values, weights);
  Unlisted kind = Unlisted::zero;
  parse_value(option_name("unlisted"), unlisted, kind);
  const py::gil_scoped_release unlock;
  if (!shape && records.size() == 0) fail(ErrorKind::data, "no entries: give `shape`, which they would tell otherwise");
  IndexSpace space(shape ? *shape : shape_from(records));
  BuildReport report;
  DataPointer data = data_of(Tensor(SparseTensor(std::move(space), std::move(records), kind, &report)), name);
  if (report.duplicates_summed > 0) {
    data->remarks.push_back(fmt::format("{} duplicate entries were summed", report.duplicates_summed));
  }
  return data;
}

DataPointer open_file(const std::string& path, const py::dict& given) {
  DataOptions options;
  py::dict left = py::reinterpret_steal<py::dict>(PyDict_Copy(given.ptr()));
  take_fields(left, options);
  for (const auto& item : left)
    fail(ErrorKind::usage, "unknown option '{}' of a data file", item.first.cast<std::string>());
  const py::gil_scoped_release unlock;
  return std::make_shared<Data>(Data{open_data(path, options), std::filesystem::path(path).filename().string()});
}

void set_missing(Data& data, const Indices& cells) {
  const Records records =
      records_of(cells, Numbers(std::vector<py::ssize_t>{cells.empty() ? 0 : cells[0].size()}), py::none());
  const py::gil_scoped_release unlock;
  if (records.modes() != data.tensor.space().modes()) {
    fail(ErrorKind::data, "missing cells have {} indices each, the data have {} modes", records.modes(),
         data.tensor.space().modes());
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!data.tensor.space().contains(records.cell(i))) {
      fail(ErrorKind::data, "missing cell {} (indices counted from 1) is outside the data's shape {}",
           cell_text(records.cell(i)), data.tensor.space().to_string());
    }
  }
  data.held_out.append(values_in(data.tensor, records));
  if (DenseTensor* dense = data.tensor.dense()) {
    std::vector<std::uint64_t> positions;
    positions.reserve(records.size());
    for (std::size_t i = 0; i < records.size(); ++i) positions.push_back(dense->position(records.cell(i)));
    dense->set_missing(positions);
  } else {
    data.tensor.sparse()->set_missing(records);
  }
}

void set_dense_weights(Data& data, const Numbers& weights) {
  DenseTensor* const dense = data.tensor.dense();
  if (dense == nullptr || !(space_of(weights) == data.tensor.space())) {
    fail(ErrorKind::data, "weights as an array are for dense data, and of their shape ({})",
         data.tensor.space().to_string());
  }
  dense->set_weights(AlignedVector<double>(weights.data(), weights.data() + weights.size()));
}

void set_sparse_weights(Data& data, const Indices& cells, const Numbers& weights) {
  SparseTensor* const sparse = data.tensor.sparse();
  if (sparse == nullptr) fail(ErrorKind::data, "weights of single cells are for sparse data; give an array");
  const Records records = records_of(cells, weights, py::none());
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records.modes() != sparse->space().modes() || !sparse->space().contains(records.cell(i))) {
      fail(ErrorKind::data, "weight of cell {} (indices counted from 1), which is outside the data's shape {}",
           cell_text(records.cell(i)), sparse->space().to_string());
    }
  }
  sparse->set_weights(records);
}

void set_zero_weight(Data& data, double weight) {
  if (!data.tensor.is_sparse()) fail(ErrorKind::usage, "`zero-weight` is for sparse data; these are dense");
  data.tensor.sparse()->set_zero_weight(weight);
}

// Cells (one array per mode), values and weights of all listed entries, or none where the data are dense.
py::object entries(const Data& data) {
  const SparseTensor* const sparse = data.tensor.sparse();
  if (sparse == nullptr) return py::none();
  const Records& records = sparse->records();
  const auto size = static_cast<py::ssize_t>(records.size());
  py::list cells;
  for (std::size_t k = 0; k < records.modes(); ++k) {
    py::array_t<std::int64_t> column(size);
    std::int64_t* const out = column.mutable_data();
    for (std::size_t i = 0; i < records.size(); ++i) out[i] = records.index(i)[k];
    cells.append(std::move(column));
  }
  py::array_t<double> values(size);
  py::array_t<double> weights(size);
  for (std::size_t i = 0; i < records.size(); ++i) {
    values.mutable_data()[i] = records.value(i);
    weights.mutable_data()[i] = records.weight(i);
  }
  return py::make_tuple(cells, values, records.weighted() ? py::object(weights) : py::none());
}

py::object dense_values(const py::object& self) {
  const Data& data = self.cast<const Data&>();
  const DenseTensor* const dense = data.tensor.dense();
  if (dense == nullptr) return py::none();
  const auto extents = dense->space().extents();
  py::array_t<double> view(std::vector<py::ssize_t>(extents.begin(), extents.end()), dense->values().data(), self);
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

}  // namespace

Records records_of(const Indices& cells, const Numbers& values, const py::object& weights) {
  std::vector<const std::int64_t*> columns;
  const auto size = static_cast<std::size_t>(values.size());
  for (const auto& column : cells) {
    if (column.ndim() != 1 || static_cast<std::size_t>(column.size()) != size) {
      fail(ErrorKind::data, "{} values, but {} indices in one of the modes: give one per entry", size, column.size());
    }
    columns.push_back(column.data());
  }
  const bool weighted = !weights.is_none();
  const Numbers weight_array = weighted ? weights.cast<Numbers>() : Numbers();
  if (weighted && static_cast<std::size_t>(weight_array.size()) != size) {
    fail(ErrorKind::data, "{} values, but {} weights: give one per entry", size, weight_array.size());
  }
  const double* const x = values.data();
  const double* const w = weighted ? weight_array.data() : nullptr;
  const std::size_t modes = columns.size();
  const py::gil_scoped_release unlock;
  Records records = Records::blank(modes, weighted, size);
  std::uint32_t* const words = records.words_to_change();
  const std::size_t stride = records.record_bytes() / sizeof(std::uint32_t);
  const std::size_t value_at = records.value_word();
  for (std::size_t i = 0; i < size; ++i) {
    std::uint32_t* const record = words + i * stride;
    for (std::size_t k = 0; k < modes; ++k) {
      const std::int64_t index = columns[k][i];
      if (index < 0 || static_cast<std::uint64_t>(index) >= max_held_extent) {
        fail(ErrorKind::data, "entry {} (counted from 0) has index {} in mode {}: indices are from 0 to {}", i, index,
             k + 1, max_held_extent - 1);
      }
      record[k] = static_cast<std::uint32_t>(index);
    }
    std::memcpy(record + value_at, x + i, sizeof(double));
    if (weighted) std::memcpy(record + value_at + 2, w + i, sizeof(double));
  }
  return records;
}

Labels labels_of(const std::vector<std::string>& names, std::vector<std::vector<std::string>> entries) {
  std::vector<ModeLabels> modes(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    modes[k].name = names[k];
    if (k < entries.size()) modes[k].entries = std::move(entries[k]);
  }
  return Labels(std::move(modes));
}

void add_tensors(py::module_& m) {
  py::class_<Data, DataPointer>(m, "Tensor", "Data of any kind, with labels, weights and missing cells.")
      .def_static("dense", &dense, py::arg("values").noconvert(), py::arg("name") = "")
      .def_static("sparse", &sparse, py::arg("cells"), py::arg("values"), py::arg("shape"), py::arg("weights"),
                  py::arg("unlisted"), py::arg("name") = "")
      .def_static("open", &open_file, py::arg("path"), py::arg("options"))
      .def("copy", [](const Data& d) { return std::make_shared<Data>(d); })
      .def("set_missing", &set_missing, py::arg("cells"))
      .def("set_dense_weights", &set_dense_weights, py::arg("weights"))
      .def("set_sparse_weights", &set_sparse_weights, py::arg("cells"), py::arg("weights"))
      .def("set_zero_weight", &set_zero_weight, py::arg("weight"))
      .def(
          "set_labels",
          [](Data& d, const std::vector<std::string>& names, std::vector<std::vector<std::string>> labels) {
            d.tensor.set_labels(labels_of(names, std::move(labels)));
          },
          py::arg("names"), py::arg("labels"))
      .def_property_readonly("shape",
                             [](const Data& d) {
                               const auto extents = d.tensor.space().extents();
                               py::tuple shape(extents.size());
                               for (std::size_t k = 0; k < extents.size(); ++k) shape[k] = extents[k];
                               return shape;
                             })
      .def_property_readonly("is_sparse", [](const Data& d) { return d.tensor.is_sparse(); })
      .def_property_readonly("mode_names",
                             [](const Data& d) {
                               std::vector<std::string> names;
                               for (std::size_t k = 0; k < d.tensor.labels().modes(); ++k) {
                                 names.push_back(d.tensor.labels().mode(k).name);
                               }
                               return names;
                             })
      .def(
          "labels", [](const Data& d, std::size_t mode) { return d.tensor.labels().mode(mode).entries; },
          py::arg("mode"))
      .def_property_readonly("observed", [](const Data& d) { return d.tensor.observed(); })
      .def_property_readonly("listed",
                             [](const Data& d) {
                               return d.tensor.is_sparse() ? d.tensor.sparse()->listed() : d.tensor.dense()->observed();
                             })
      .def_property_readonly("held_out", [](const Data& d) { return d.held_out.size(); })
      .def_property_readonly("remarks",
                             [](const Data& d) {
                               std::vector<std::string> out;
                               for (const std::string& remark : d.remarks) out.push_back(as_keywords(remark));
                               return out;
                             })
      .def_readwrite("name", &Data::name)
      .def("describe", [](const Data& d) { return describe(d.tensor); })
      .def("advice",
           [](const Data& d) {
             std::vector<std::pair<std::string, std::string>> out;
             for (const LossAdvice& a : advise_losses(d.tensor)) out.emplace_back(a.loss, a.reason);
             return out;
           })
      .def("entries", &entries)
      .def("weights",
           [](const py::object& self) -> py::object {
             const DenseTensor* const dense = self.cast<const Data&>().tensor.dense();
             if (dense == nullptr || !dense->weighted()) return py::none();
             const auto extents = dense->space().extents();
             return py::array_t<double>(std::vector<py::ssize_t>(extents.begin(), extents.end()),
                                        dense->weights().data());
           })
      .def("missing",
           [](const Data& d) {
             py::list cells;
             const Records none(d.tensor.space().modes());
             const Records& missing = d.tensor.is_sparse() ? d.tensor.sparse()->missing() : none;
             for (std::size_t k = 0; k < missing.modes(); ++k) {
               py::array_t<std::int64_t> column(static_cast<py::ssize_t>(missing.size()));
               for (std::size_t i = 0; i < missing.size(); ++i) column.mutable_data()[i] = missing.index(i)[k];
               cells.append(std::move(column));
             }
             return cells;
           })
      .def_property_readonly(
          "unlisted",
          [](const Data& d) { return d.tensor.is_sparse() ? std::string(word_of(d.tensor.sparse()->unlisted())) : ""; })
      .def_property_readonly(
          "zero_weight", [](const Data& d) { return d.tensor.is_sparse() ? d.tensor.sparse()->zero_weight() : 1.0; })
      .def("values", &dense_values)
      .def(
          "save",
          [](const Data& d, const std::string& path, bool mat73, bool raw) {
            const py::gil_scoped_release unlock;
            write_tensor(path, d.tensor, {.mat_version_73 = mat73, .raw = raw});
          },
          py::arg("path"), py::arg("mat73") = false, py::arg("raw") = false);
  m.def(
      "holds_model",
      [](const std::string& path) {
        const py::gil_scoped_release unlock;
        return what_file_holds(path) == FileHolds::model;
      },
      py::arg("path"));
}

}  // namespace polyad::python
