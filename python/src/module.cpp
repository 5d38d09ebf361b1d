#include "module.hpp"

#include <polyad/base/fields.hpp>
#include <polyad/base/simd_target.hpp>
#include <polyad/version.hpp>

PYBIND11_MODULE(_core, m) {
  using namespace polyad::python;
  m.doc() = "The compiled part of polyad; use the package `polyad`, which wraps it.";
  m.attr("version") = std::string(polyad::version);
  m.def(
      "simd", [] { return std::string(polyad::word_of(polyad::simd_target())); },
      "The instruction set in use; results are the same to the last bit on one of them.");
  add_errors(m);
  add_options(m);
  add_tensors(m);
  add_tables(m);
  add_losses(m);
  add_models(m);
  add_fit(m);
  add_reports(m);
  add_new_data(m);
}
