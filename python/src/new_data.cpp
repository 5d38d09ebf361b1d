// A model at work on data that it was not fitted to: rows of new slices, expected values of cells, missing cells filled in.

#include "losses.hpp"
#include "options.hpp"

#include <polyad/apply/predict.hpp>
#include <polyad/apply/transform.hpp>
#include <polyad/base/text.hpp>
#include <polyad/progress.hpp>
#include <polyad/tensor/tensor.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <limits>

namespace polyad::python {

namespace {

constexpr auto look_every = std::chrono::milliseconds(50);

template <class Options>
Options options_of(const py::dict& given) {
  py::dict left = py::reinterpret_steal<py::dict>(PyDict_Copy(given.ptr()));
  Options options;
  take_fields(left, options);
  for (const auto& item : left) {
    std::vector<std::string> names;
    for_each_field<Options>([&](const auto& f) { names.push_back(keyword_of(f.name)); });
    const auto key = item.first.cast<std::string>();
    fail(ErrorKind::usage, "unknown option '{}'{}", key,
         did_you_mean(key, std::vector<std::string_view>(names.begin(), names.end())));
  }
  return options;
}

// Runs work(stop) on a thread of its own and looks after signals meanwhile. The first KeyboardInterrupt sets `stop`, so that the
// work ends with what it has; a second one, and anything else that is raised, is thrown once the work has ended.
template <class Work>
auto interruptible(Work work) {
  std::atomic<bool> stop = false;
  auto result = std::async(std::launch::async, [&] { return work(stop); });
  bool interrupted = false;
  while (true) {
    {
      const py::gil_scoped_release unlock;
      if (result.wait_for(look_every) == std::future_status::ready) break;
    }
    if (PyErr_CheckSignals() == 0) continue;
    const py::error_already_set error;
    stop = true;
    if (interrupted || !error.matches(PyExc_KeyboardInterrupt)) {
      {
        const py::gil_scoped_release unlock;
        result.wait();
      }
      throw error;
    }
    interrupted = true;
  }
  try {
    return result.get();
  } catch (const Error&) {
    if (!interrupted) throw;
    PyErr_SetNone(PyExc_KeyboardInterrupt);  // there is nothing to return yet
    throw py::error_already_set();
  }
}

py::array_t<double> array_of(const std::vector<double>& numbers) {
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

std::vector<std::string> texts_of(const Remarks& remarks) {
  std::vector<std::string> out;
  for (const std::string& remark : remarks) out.push_back(as_keywords(remark));
  return out;
}

// The new rows as a model; which mode they are of; how each row ended and how exactly; remarks; seconds; whether it was interrupted.
py::tuple transformed(const ModelPointer& file, const DataPointer& data, const py::dict& given,
                      const std::optional<LossHandle>& loss) {
  const auto options = options_of<TransformOptions>(given);
  if (loss && loss->trouble) loss->trouble->forget();
  const Transformed result = interruptible([&](const std::atomic<bool>& stop) {
    Monitor monitor;
    monitor.interrupt = &stop;
    return loss ? transform(*file, data->tensor, loss->loss, options, monitor)
                : transform(*file, data->tensor, options, monitor);
  });
  if (loss && loss->trouble && loss->trouble->first) std::rethrow_exception(loss->trouble->first);
  constexpr const char* words[] = {"solved", "stopped", "no data", "not begun"};
  py::list states;
  std::vector<double> residuals;
  for (std::size_t i = 0; i < result.states.size(); ++i) {
    states.append(py::str(words[static_cast<std::size_t>(result.states[i])]));
    residuals.push_back(result.ends[i].residual);
  }
  return py::make_tuple(std::make_shared<ModelFile>(to_model_file(result, *file)), result.mode, states,
                        array_of(residuals), texts_of(result.remarks), result.visited, result.seconds,
                        result.interrupted);
}

// Cells (an array per mode), known values, expected ones, low and high (none without intervals), rows left out, why there are no
// intervals.
py::tuple as_tuple(const Predictor& predictor, const Predictions& found) {
  py::list cells;
  std::vector<double> values;
  for (std::size_t k = 0; k < found.cells.modes(); ++k) {
    py::array_t<std::int64_t> column(static_cast<py::ssize_t>(found.cells.size()));
    for (std::size_t t = 0; t < found.cells.size(); ++t) column.mutable_data()[t] = found.cells.index(t)[k];
    cells.append(std::move(column));
  }
  for (std::size_t t = 0; t < found.cells.size(); ++t) values.push_back(found.cells.value(t));
  const bool intervals = predictor.has_intervals();
  return py::make_tuple(cells, array_of(values), array_of(found.expected),
                        intervals ? py::object(array_of(found.low)) : py::none(),
                        intervals ? py::object(array_of(found.high)) : py::none(), found.left_out,
                        as_keywords(mark_options(predictor.why_no_intervals())));
}

py::tuple predicted(const ModelFile& file, const Indices& cells, const Numbers& values, const py::dict& given) {
  const Predictor predictor(file, options_of<PredictOptions>(given));
  Records records = records_of(cells, values, py::none());
  Predictions found;
  {
    const py::gil_scoped_release unlock;
    found = predictor.predict(std::move(records));
  }
  return as_tuple(predictor, found);
}

py::tuple predicted_of_file(const ModelFile& file, const std::string& path, const py::dict& given) {
  const auto options = options_of<PredictOptions>(given);
  const Predictor predictor(file, options);
  Predictions found;
  {
    const py::gil_scoped_release unlock;
    std::uint64_t left_out = 0;
    found = predictor.predict(
        read_table_of_cells(path, {file.labels, file.model.factors.extents()}, options.unknown, left_out));
    found.left_out = left_out;
  }
  return as_tuple(predictor, found);
}

py::tuple ranked(const ModelFile& file, std::size_t count, const std::vector<std::string>& held,
                 const DataPointer& seen, const py::dict& given) {
  const Predictor predictor(file, options_of<PredictOptions>(given));
  Predictions found;
  {
    const py::gil_scoped_release unlock;
    TopRequest request{.count = count, .held = held};
    std::optional<Joined> joined;
    if (seen) {
      JoinOptions join_options;
      join_options.unknown = UnknownLabels::ignore;
      joined = join({file.labels, file.model.factors.extents()}, seen->tensor, NewLabels::nowhere, join_options);
      request.seen = &joined->tensor;
    }
    found = top_cells(predictor, request);
  }
  return as_tuple(predictor, found);
}

DataPointer filled(const ModelFile& file, const DataPointer& data, const py::dict& given) {
  const Predictor predictor(file, options_of<PredictOptions>(given));
  const py::gil_scoped_release unlock;
  Tensor tensor = fill_missing(predictor, data->tensor);
  const std::size_t modes = tensor.space().modes();
  return std::make_shared<Data>(Data{{std::move(tensor), Records(modes), {}}, data->name});
}

}  // namespace

void add_new_data(py::module_& m) {
  m.def("transform", &transformed, py::arg("model"), py::arg("data"), py::arg("options"), py::arg("loss"));
  m.def("predict", &predicted, py::arg("model"), py::arg("cells"), py::arg("values"), py::arg("options"));
  m.def("predict_file", &predicted_of_file, py::arg("model"), py::arg("path"), py::arg("options"));
  m.def("top_cells", &ranked, py::arg("model"), py::arg("count"), py::arg("held"), py::arg("seen").none(true),
        py::arg("options"));
  m.def("fill_missing", &filled, py::arg("model"), py::arg("data"), py::arg("options"));
  m.def(
      "open_new_data",
      [](const ModelFile& file, const std::string& path, const py::dict& given) {
        const auto options = options_of<DataOptions>(given);
        const py::gil_scoped_release unlock;
        return std::make_shared<Data>(Data{open_new_data(path, options, file.labels, "the model"), path});
      },
      py::arg("model"), py::arg("path"), py::arg("options"));
}

}  // namespace polyad::python
