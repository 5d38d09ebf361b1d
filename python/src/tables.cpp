// Tables: from files, or from columns of a data frame whose values are few and coded.

#include "options.hpp"

#include <polyad/base/text.hpp>
#include <polyad/io/table/table.hpp>

#include <filesystem>

namespace polyad::python {

namespace {

ImportOptions import_options(const py::dict& given) {
  ImportOptions options;
  py::dict left = py::reinterpret_steal<py::dict>(PyDict_Copy(given.ptr()));
  take_fields(left, options);
  for (const auto& item : left)
    fail(ErrorKind::usage, "unknown option '{}' of a table", item.first.cast<std::string>());
  return options;
}

DataPointer with_remarks(Tensor tensor, const ImportReport& report, Remarks remarks, std::string name) {
  remarks.push_back(fmt::format("{} rows read, {} used", format_count(report.rows), format_count(report.used)));
  for (const auto& [column, rows] : report.empty) {
    remarks.push_back(fmt::format("{} rows left out: '{}' is empty", format_count(rows), column));
  }
  if (report.bad > 0)
    remarks.push_back(fmt::format("{} rows skipped: a cell could not be read", format_count(report.bad)));
  const std::size_t modes = tensor.space().modes();
  return std::make_shared<Data>(Data{{std::move(tensor), Records(modes), std::move(remarks)}, std::move(name)});
}

DataPointer of_file(const std::string& path, const py::dict& given) {
  const ImportOptions options = import_options(given);
  const py::gil_scoped_release unlock;
  ImportReport report;
  Remarks remarks;
  Tensor tensor = import_table(path, options, report, &remarks);
  return with_remarks(std::move(tensor), report, std::move(remarks), std::filesystem::path(path).filename().string());
}

/// (name, values, codes, whether the values have an order of their own)
using Column = std::tuple<std::string, std::vector<std::string>,
                          py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>, bool>;

DataPointer of_columns(const std::vector<Column>& given_columns, const py::dict& given) {
  const ImportOptions options = import_options(given);
  std::vector<CodedColumn> columns;
  for (const auto& [name, values, codes, ordered] : given_columns) {
    columns.push_back({name, values, {codes.data(), static_cast<std::size_t>(codes.size())}, ordered});
  }
  const py::gil_scoped_release unlock;
  ImportReport report;
  Remarks remarks;
  Tensor tensor = import_table(CodedTable("DataFrame", std::move(columns)), options, report, &remarks);
  return with_remarks(std::move(tensor), report, std::move(remarks), "");
}

}  // namespace

void add_tables(py::module_& m) {
  m.def("import_file", &of_file, py::arg("path"), py::arg("options"));
  m.def("import_columns", &of_columns, py::arg("columns"), py::arg("options"));
}

}  // namespace polyad::python
