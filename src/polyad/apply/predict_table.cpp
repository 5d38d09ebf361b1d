// Cells from tables and predictions into tables.

#include <polyad/apply/match_labels.hpp>
#include <polyad/apply/predict.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/table/csv_rows.hpp>
#include <polyad/io/table/csv_table.hpp>
#include <polyad/io/table/table_mode.hpp>
#include <polyad/io/text/text_sink.hpp>
#include <polyad/io/tns/fields.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <unordered_map>

namespace polyad {

namespace {

constexpr std::size_t rows_a_part = 8192;

// A mode's column, and how its cells become indices.
struct CellColumn {
  std::size_t column = 0;
  std::string name;
  std::uint64_t extent = 0;
  std::unordered_map<std::string, Index> by_label;  // empty: indices from 1
  std::vector<std::string> unknown;
  std::set<std::string> seen_unknown;
};

std::optional<std::size_t> find_column(const CsvTable& table, const std::string& name) {
  const auto found = std::ranges::find(table.header(), name);
  if (found == table.header().end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.header().begin());
}

std::vector<CellColumn> columns_of(const CsvTable& table, const ModelSpace& model) {
  std::vector<CellColumn> columns;
  for (std::size_t k = 0; k < model.extents.size(); ++k) {
    CellColumn column;
    column.name = model.labels.mode_name(k);
    column.extent = model.extents[k];
    std::optional<std::size_t> at = find_column(table, column.name);
    if (!at) at = find_column(table, fmt::format("{}", k + 1));
    if (!at) {
      std::string known;
      for (const std::string& name : table.header()) known += fmt::format("{}'{}'", known.empty() ? "" : ", ", name);
      fail(ErrorKind::data, "'{}' has no column '{}'; it has {}", table.path(), column.name, known);
    }
    column.column = *at;
    if (k < model.labels.modes()) {
      const std::vector<std::string>& entries = model.labels.mode(k).entries;
      for (std::size_t i = 0; i < entries.size(); ++i) column.by_label.emplace(entries[i], static_cast<Index>(i));
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

// The index that a cell means; no_row: the model does not know it.
Index index_of(CellColumn& column, const std::string& cell, const std::string& path, std::uint64_t line) {
  if (!column.by_label.empty()) {
    const auto found = column.by_label.find(cell);
    if (found != column.by_label.end()) return found->second;
  } else {
    const auto number = parse_whole(cell);
    if (!number || *number == 0) {
      fail_at(path, line, "'{}' in column '{}' is not an index counted from 1", excerpt(cell), column.name);
    }
    if (*number <= column.extent) return static_cast<Index>(*number - 1);
  }
  if (column.seen_unknown.insert(cell).second) column.unknown.push_back(cell);
  return no_row;
}

void put_number(fmt::memory_buffer& out, double value) {
  out.push_back(',');
  if (!std::isnan(value)) fmt::format_to(std::back_inserter(out), "{:.10g}", value);
}

// The table in parts, each formatted by one thread.
class PredictionRows {
 public:
  PredictionRows(const Predictor& predictor, const Predictions& predictions)
      : labels_(predictor.file().labels), predictions_(predictions) {
    for (std::size_t t = 0; t < predictions.cells.size() && !values_; ++t)
      values_ = !std::isnan(predictions.cells.value(t));
    // Labels as cells, made once.
    const std::size_t d = predictor.file().model.modes();
    for (std::size_t k = 0; k < d; ++k) {
      std::vector<std::string> cells;
      for (std::size_t i = 0; i < predictor.file().model.factors.rows(k); ++i)
        cells.push_back(csv_cell(labels_.entry(k, i)));
      cells_.push_back(std::move(cells));
    }
  }

  std::string header() const {
    std::string out;
    for (std::size_t k = 0; k < cells_.size(); ++k) out += csv_cell(labels_.mode_name(k)) + ",";
    if (values_) out += "value,";
    out += "expected";
    if (!predictions_.low.empty()) out += ",low,high";
    if (values_) out += ",residual";
    return out + "\n";
  }

  void put(std::size_t first, std::size_t end, fmt::memory_buffer& out) const {
    for (std::size_t t = first; t < end; ++t) {
      const Index* index = predictions_.cells.index(t);
      for (std::size_t k = 0; k < cells_.size(); ++k) {
        if (k > 0) out.push_back(',');
        out.append(cells_[k][index[k]]);
      }
      const double value = predictions_.cells.value(t);
      if (values_) put_number(out, value);
      put_number(out, predictions_.expected[t]);
      if (!predictions_.low.empty()) {
        put_number(out, predictions_.low[t]);
        put_number(out, predictions_.high[t]);
      }
      if (values_) put_number(out, value - predictions_.expected[t]);
      out.push_back('\n');
    }
  }

  /// Calls take(text) for the whole table, in order.
  template <class Take>
  void for_parts(const Take& take) const {
    const std::size_t n = predictions_.cells.size();
    const std::size_t threads = thread_count(0);
    const std::size_t group = std::max<std::size_t>(1, 4 * threads);
    for (std::size_t first = 0; first < n; first += group * rows_a_part) {
      std::vector<fmt::memory_buffer> parts(group);
      parallel_tasks(group, threads, [&](std::size_t p) {
        const std::size_t begin = first + p * rows_a_part;
        if (begin < n) put(begin, std::min(n, begin + rows_a_part), parts[p]);
      });
      for (const fmt::memory_buffer& part : parts) take(std::string_view(part.data(), part.size()));
    }
  }

 private:
  const Labels& labels_;
  const Predictions& predictions_;
  std::vector<std::vector<std::string>> cells_;
  bool values_ = false;
};

}  // namespace

Records read_table_of_cells(const std::string& path, const ModelSpace& model, UnknownLabels unknown,
                            std::uint64_t& left_out) {
  const CsvTable table(path);
  std::vector<CellColumn> columns = columns_of(table, model);
  const std::optional<std::size_t> value_column = find_column(table, "value");
  Records cells(columns.size());
  std::vector<Index> index(columns.size());
  table.for_each_row([&](std::span<const std::string> fields, std::uint64_t line) {
    bool known = true;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      index[k] = index_of(columns[k], fields[columns[k].column], path, line);
      known = known && index[k] != no_row;
    }
    if (!known) {
      ++left_out;
      return;
    }
    double value = std::nan("");
    if (value_column && !is_no_value(fields[*value_column])) {
      const auto number = parse_number(fields[*value_column]);
      if (!number || !std::isfinite(*number)) {
        fail_at(path, line, "'{}' in column 'value' is not a number", excerpt(fields[*value_column]));
      }
      value = *number;
    }
    cells.append(index.data(), value);
  });
  if (unknown == UnknownLabels::error) {
    for (const CellColumn& column : columns) {
      if (column.unknown.empty()) continue;
      fail(ErrorKind::data,
           "'{}': {}: the model does not know {}; correct the table, or leave these rows out with "
           "`unknown ignore`",
           path, column.name, some_labels(column.unknown));
    }
  }
  if (cells.size() == 0) fail(ErrorKind::data, "'{}' has no row whose cell the model knows", path);
  return cells;
}

void write_predictions(const std::string& path, const Predictor& predictor, const Predictions& predictions) {
  const PredictionRows rows(predictor, predictions);
  TextSink sink(path);
  sink.buffer().append(rows.header());
  rows.for_parts([&](std::string_view text) {
    sink.buffer().append(text);
    sink.flush_if_full();
  });
  sink.commit();
}

std::string text_of(const Predictor& predictor, const Predictions& predictions) {
  const PredictionRows rows(predictor, predictions);
  std::string out = rows.header();
  rows.for_parts([&](std::string_view text) { out += text; });
  return out;
}

}  // namespace polyad
