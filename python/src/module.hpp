#pragma once
// The parts of the extension module polyad._core. Each source binds one concern and holds no behaviour that another front end
// would miss: that belongs into the library.

#include <polyad/base/error.hpp>
#include <polyad/files.hpp>
#include <polyad/loss.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polyad::python {

namespace py = pybind11;

/// Numbers as C++ sees them; anything else is converted. `Indices` are cells, one array per mode.
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Indices = std::vector<py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>>;

/// Data with everything that is known of them: what `polyad.Tensor` holds.
struct Data : OpenedData {
  std::string name;  ///< for reports: of the file, or given
};
using DataPointer = std::shared_ptr<Data>;
using ModelPointer = std::shared_ptr<ModelFile>;

void add_errors(py::module_& m);
void add_options(py::module_& m);
void add_tensors(py::module_& m);
void add_tables(py::module_& m);
void add_losses(py::module_& m);
void add_models(py::module_& m);
void add_fit(py::module_& m);
void add_reports(py::module_& m);
void add_new_data(py::module_& m);

/// A text of the library as Python users read it: `rank` becomes rank=, `method gcp-full` method='gcp-full', and a command in
/// quotes, 'polyad fit', the function polyad.fit.
std::string as_keywords(std::string_view text);

/// Cells, values and weights as records. `weights` may be none. A data error names the entry whose index is negative or too
/// large. Runs without the interpreter's lock.
Records records_of(const Indices& cells, const Numbers& values, const py::object& weights);

/// Labels of all modes; empty lists where a mode has none.
Labels labels_of(const std::vector<std::string>& names, std::vector<std::vector<std::string>> entries);

}  // namespace polyad::python
