#include "losses.hpp"

#include <polyad/base/fields.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/all.hpp>
#include <polyad/loss/expression.hpp>

#include <limits>

namespace polyad::python {

namespace {

// References to Python functions, counted only under the interpreter's lock.
struct Functions {
  py::object value;
  py::object derivative;
};

std::shared_ptr<const Functions> keep_functions(py::object value, py::object derivative) {
  return {new Functions{std::move(value), std::move(derivative)}, [](const Functions* kept) {
            if (Py_IsInitialized() == 0) return;
            const py::gil_scoped_acquire lock;
            delete kept;
          }};
}

// f(x, m) and df/dm as functions of NumPy arrays. An exception is kept for the caller and makes the entries NaN.
struct PythonLoss : detail::UserLossTexts {
  std::shared_ptr<const Functions> functions;
  std::shared_ptr<Trouble> trouble;

  void values(std::size_t n, const double* x, const double* m, double* out) const {
    call(functions->value, n, x, m, out);
  }
  void derivatives(std::size_t n, const double* x, const double* m, double* out) const {
    call(functions->derivative, n, x, m, out);
  }

  void call(const py::object& function, std::size_t n, const double* x, const double* m, double* out) const {
    if (!trouble->any) {
      const py::gil_scoped_acquire lock;
      try {
        const auto size = static_cast<py::ssize_t>(n);
        const py::object answer = function(py::array_t<double>(size, x), py::array_t<double>(size, m));
        const auto numbers = Numbers::ensure(answer);
        if (!numbers) throw py::error_already_set();
        if (numbers.ndim() != 1 || numbers.size() != size) {
          fail(ErrorKind::usage, "loss '{}': a function of arrays of {} numbers must return {} numbers (returned {})",
               name, n, n, numbers.size());
        }
        std::copy_n(numbers.data(), n, out);
        return;
      } catch (...) {
        const std::lock_guard keep_first(trouble->lock);
        if (!trouble->first) trouble->first = std::current_exception();
        trouble->any = true;
      }
    }
    std::fill_n(out, n, std::numeric_limits<double>::quiet_NaN());
  }
};

UserLossInfo info_from(std::string formula, std::string data, std::string link, std::optional<double> lower,
                       const std::string& domain) {
  return {.formula = std::move(formula),
          .data = std::move(data),
          .link = std::move(link),
          .lower = lower.value_or(no_bound),
          .domain = domain_of_word(domain)};
}

LossHandle of_functions(std::string name, py::object value, py::object derivative, std::string formula,
                        std::string data, std::string link, std::optional<double> lower, const std::string& domain) {
  auto trouble = std::make_shared<Trouble>();
  Loss loss = Loss::of(
      PythonLoss{{std::move(name), info_from(std::move(formula), std::move(data), std::move(link), lower, domain)},
                 keep_functions(std::move(value), std::move(derivative)),
                 trouble});
  detail::check_user_loss(loss);
  return {std::move(loss), std::move(trouble)};
}

py::array_t<double> evaluated(const LossHandle& handle, const Numbers& x, const Numbers& m, bool slope) {
  if (x.size() != m.size()) fail(ErrorKind::usage, "x and m must have the same size ({} and {})", x.size(), m.size());
  py::array_t<double> out(std::vector<py::ssize_t>(m.shape(), m.shape() + m.ndim()));
  const auto n = static_cast<std::size_t>(m.size());
  if (slope) {
    handle.loss.derivatives(n, x.data(), m.data(), out.mutable_data());
  } else {
    handle.loss.values(n, x.data(), m.data(), out.mutable_data());
  }
  if (handle.trouble && handle.trouble->first) {
    const std::exception_ptr first = handle.trouble->first;
    handle.trouble->forget();
    std::rethrow_exception(first);
  }
  return out;
}

}  // namespace

void add_losses(py::module_& m) {
  py::class_<LossHandle>(m, "Loss", "What is minimised: f(x, m), x the data and m the model.")
      .def_static(
          "parse",
          [](const std::string& spec) {
            return LossHandle{parse_loss(spec), nullptr};
          },
          py::arg("spec"))
      .def_static(
          "of_formula",
          [](const std::string& formula, std::optional<double> lower, const std::string& domain) {
            return LossHandle{formula_loss(formula, lower.value_or(no_bound), domain_of_word(domain)), nullptr};
          },
          py::arg("formula"), py::arg("lower"), py::arg("domain"))
      .def_static("of_functions", &of_functions, py::arg("name"), py::arg("value"), py::arg("derivative"),
                  py::arg("formula"), py::arg("data"), py::arg("link"), py::arg("lower"), py::arg("domain"))
      .def_property_readonly("name", [](const LossHandle& h) { return std::string(h.loss.name()); })
      .def_property_readonly("spec", [](const LossHandle& h) { return h.loss.spec(); })
      .def_property_readonly("formula", [](const LossHandle& h) { return std::string(h.loss.info().formula); })
      .def_property_readonly("data", [](const LossHandle& h) { return std::string(h.loss.info().data); })
      .def_property_readonly("link", [](const LossHandle& h) { return std::string(h.loss.info().link); })
      .def_property_readonly("lower", [](const LossHandle& h) { return h.loss.info().lower; })
      .def_property_readonly("domain",
                             [](const LossHandle& h) { return std::string(word_of_domain(h.loss.info().domain)); })
      .def_property_readonly("parameters", [](const LossHandle& h) { return h.loss.parameters(); })
      .def_property_readonly("is_python", [](const LossHandle& h) { return h.trouble != nullptr; })
      .def(
          "values", [](const LossHandle& h, const Numbers& x, const Numbers& p) { return evaluated(h, x, p, false); },
          py::arg("x"), py::arg("m"))
      .def(
          "derivatives",
          [](const LossHandle& h, const Numbers& x, const Numbers& p) { return evaluated(h, x, p, true); },
          py::arg("x"), py::arg("m"));
  m.def("losses", [] {
    std::vector<LossHandle> out;
    for (const Loss& loss : all_losses()) out.push_back({loss, nullptr});
    return out;
  });
}

}  // namespace polyad::python
