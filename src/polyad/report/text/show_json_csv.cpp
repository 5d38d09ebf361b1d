#include <polyad/base/json_value.hpp>
#include <polyad/io/table/csv_rows.hpp>
#include <polyad/report.hpp>
#include <polyad/report/mode_kind.hpp>
#include <polyad/report/text/readable.hpp>
#include <polyad/report/text/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polyad {

std::string show_json(const KTensor& model, const Labels& labels, const ShowOptions& options) {
  const ShowRange range = show_range(model, labels, options);
  const ReadableModel shown = readable(model);
  Json out;
  out["rank"] = model.rank();
  out["shape"] = model.factors.extents();
  out["modes"] = Json::array();
  for (std::size_t k = 0; k < model.modes(); ++k) out["modes"].push_back(printable(mode_title(labels, k)));
  out["nonnegative"] = shown.nonnegative;
  out["weight-is"] = shown.nonnegative ? "sum over all cells" : "Euclidean norm over all cells";
  out["components"] = Json::array();
  for (std::size_t j = range.begin; j < range.end; ++j) {
    Json component;
    component["component"] = j + 1;
    if (j < options.names.size()) component["name"] = printable(options.names[j]);
    component["weight"] = shown.model.weights[j];
    if (shown.nonnegative) component["share"] = shown.shares[j];
    component["modes"] = Json::array();
    for (std::size_t k = 0; k < model.modes(); ++k) {
      const std::vector<double> column = column_of(shown.model, k, j);
      Json top = Json::array();
      for (const std::size_t i : top_entries(column, options.top)) {
        top.push_back({{"index", i + 1}, {"label", printable(entry_title(labels, k, i))}, {"value", column[i]}});
      }
      component["modes"].push_back({{"name", printable(mode_title(labels, k))}, {"top", std::move(top)}});
    }
    out["components"].push_back(std::move(component));
  }
  return out.dump(2) + "\n";
}

std::string show_csv(const KTensor& model, const Labels& labels, const ShowOptions& options) {
  const ShowRange range = show_range(model, labels, options);
  const ReadableModel shown = readable(model);
  std::string out = "component,weight,mode,index,label,value\n";
  for (std::size_t j = range.begin; j < range.end; ++j) {
    for (std::size_t k = 0; k < model.modes(); ++k) {
      const std::string mode = csv_cell(mode_title(labels, k), options.raw);
      for (std::size_t i = 0; i < model.factors.rows(k); ++i) {
        fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{}\n", j + 1, shown.model.weights[j], mode, i + 1,
                       csv_cell(entry_title(labels, k, i), options.raw), shown.model.factors.at(k, i, j));
      }
    }
  }
  return out;
}

std::vector<std::size_t> top_entries(const std::vector<double>& column, std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (column[i] != 0) order.push_back(i);
  }
  const auto larger = [&](std::size_t a, std::size_t b) {
    const double x = std::abs(column[a]), y = std::abs(column[b]);
    return x != y ? x > y : a < b;
  };
  const std::size_t kept = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(), larger);
  order.resize(kept);
  return order;
}

std::vector<double> column_of(const KTensor& model, std::size_t mode, std::size_t j) {
  std::vector<double> column(model.factors.rows(mode));
  for (std::size_t i = 0; i < column.size(); ++i) column[i] = model.factors.at(mode, i, j);
  return column;
}

}  // namespace polyad
