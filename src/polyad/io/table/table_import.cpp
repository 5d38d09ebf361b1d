#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/base/json_fields.hpp>
#include <polyad/files.hpp>
#include <polyad/io/isolated/pack.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/table/csv_table.hpp>
#include <polyad/io/table/table_mode.hpp>
#include <polyad/io/table/timestamps.hpp>
#include <polyad/io/tns/fields.hpp>
#include <polyad/tensor/tensor.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace polyad {
namespace {

std::optional<char> separator_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() == 1) return text[0];
  fail(ErrorKind::usage, "`separator`: '{}' is not one character; write tab for a tabulator", text);
}

// Values that are known beforehand keep their order, also those that no row has.
void apply_given_values(const Table& table, std::vector<TableMode>& modes) {
  for (TableMode& mode : modes) {
    if (!mode.takes_text()) continue;
    Index number = 0;
    for (const std::string& value : table.given_values(mode.column())) {
      (void)mode.take(value, number);
      mode.set_order(LabelOrder::appearance);
    }
  }
}

// NAME=WORD, the name being that of a mode.
void apply_orders(const std::vector<std::string>& orders, std::vector<TableMode>& modes) {
  for (const std::string& text : orders) {
    const std::size_t equals = text.rfind('=');
    const std::string name = text.substr(0, equals == std::string::npos ? text.size() : equals);
    const auto mode = std::ranges::find(modes, name, &TableMode::name);
    if (equals == std::string::npos || mode == modes.end()) {
      fail(ErrorKind::usage, "`order`: '{}' is not of the form NAME=frequency, where NAME is a mode's", text);
    }
    LabelOrder order{};
    parse_value("order", text.substr(equals + 1), order);
    mode->set_order(order);
  }
}

// The layouts that fit every timestamp of a column seen so far.
struct Candidates {
  std::vector<std::string> layouts = known_layouts();
  std::uint64_t seen = 0;
  std::uint64_t odd = 0;  // cells that no layout fits at all
  std::string odd_cell;
  std::uint64_t odd_line = 0;

  void see(std::string_view cell, std::uint64_t line) {
    ++seen;
    std::vector<std::string> left;
    for (std::string& layout : layouts) {
      if (parse_timestamp(cell, layout)) left.push_back(layout);
    }
    if (left.empty()) {
      if (odd++ == 0) {
        odd_cell = excerpt(cell);
        odd_line = line;
      }
      return;
    }
    layouts = std::move(left);
  }
};

// Layouts by column: as given, or those that fit all rows.
void decide_layouts(const Table& table, const ImportOptions& options, std::vector<TableMode>& modes, Remarks* remarks) {
  std::map<std::size_t, std::string> given;
  std::string for_all;
  for (const std::string& text : options.time_layouts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      for_all = text;
    } else {
      given[table.column(text.substr(0, equals))] = text.substr(equals + 1);
    }
  }
  std::map<std::size_t, Candidates> open;
  for (TableMode& mode : modes) {
    if (!mode.needs_time()) continue;
    const auto found = given.find(mode.column());
    if (found != given.end()) {
      mode.set_layout(found->second);
    } else if (!for_all.empty()) {
      mode.set_layout(for_all);
    } else {
      open.try_emplace(mode.column());
    }
  }
  if (open.empty()) return;
  table.for_each_row([&](std::span<const std::string> fields, std::uint64_t line) {
    for (auto& [column, candidates] : open) {
      if (!is_no_value(fields[column])) candidates.see(fields[column], line);
    }
  });
  for (auto& [column, candidates] : open) {
    const std::string& name = table.header()[column];
    if (candidates.seen == 0) fail(ErrorKind::data, "'{}': column '{}' is empty in every row", table.path(), name);
    if (candidates.odd > 0 && (options.bad_rows == BadRows::refuse || candidates.odd == candidates.seen)) {
      fail(ErrorKind::data,
           "{}:{}: '{}' in column '{}' is no timestamp in a layout that polyad knows, or in another one than the "
           "rows before; say `time-layout`, or `bad-rows skip`",
           table.path(), candidates.odd_line, candidates.odd_cell, name);
    }
    const std::string& layout = candidates.layouts.front();
    const bool ambiguous = candidates.layouts.size() > 1;
    remark(remarks, "'{}' is written {}{}", name, layout_text(layout),
           ambiguous ? fmt::format(" (or {}, which fits as well: {})", layout_text(candidates.layouts[1]),
                                   option_name("time-layout", fmt::format("'{}'", candidates.layouts[1])))
                     : "");
    for (TableMode& mode : modes) {
      if (mode.needs_time() && mode.column() == column) mode.set_layout(layout);
    }
  }
}

class Filler {
 public:
  Filler(const Table& table, const ImportOptions& options, std::vector<TableMode>& modes, ImportReport& report)
      : table_(table), options_(options), modes_(modes), report_(report), records_(modes.size()) {
    if (!options.value.empty()) value_column_ = table.column(options.value);
  }

  void take(std::span<const std::string> fields, std::uint64_t line) {
    ++report_.rows;
    double value = 1;
    if (value_column_) {
      const std::string& cell = fields[*value_column_];
      if (is_no_value(cell)) return leave_out(options_.value);
      const auto number = parse_number(cell);
      if (!number || !std::isfinite(*number)) return bad(line, options_.value, cell, "a number");
      value = *number;
    }
    std::array<Index, max_modes> index{};
    for (std::size_t k = 0; k < modes_.size(); ++k) {
      TableMode& mode = modes_[k];
      const std::string& cell = fields[mode.column()];
      const CellState state = mode.take(cell, index[k]);
      if (state == CellState::empty) return leave_out(mode.column_name());
      if (state == CellState::bad) {
        return bad(
            line, mode.column_name(), cell,
            mode.needs_time() ? "a timestamp in the layout of the others" : "what this mode needs (UTF-8, a number)");
      }
    }
    for (std::size_t k = 0; k < modes_.size(); ++k) modes_[k].count(index[k]);
    records_.append(index.data(), value);
    ++report_.used;
  }

  Records& records() { return records_; }

 private:
  void leave_out(const std::string& column) {
    const auto found = std::ranges::find(report_.empty, column, &std::pair<std::string, std::uint64_t>::first);
    if (found == report_.empty.end()) {
      report_.empty.emplace_back(column, 1);
    } else {
      ++found->second;
    }
  }
  void bad(std::uint64_t line, const std::string& column, const std::string& cell, std::string_view what) {
    ++report_.bad;
    if (options_.bad_rows == BadRows::skip) return;
    fail_at(table_.path(), line, "'{}' in column '{}' is not {}; fix it, or say `bad-rows skip`", excerpt(cell), column,
            what);
  }

  const Table& table_;
  const ImportOptions& options_;
  std::vector<TableMode>& modes_;
  ImportReport& report_;
  Records records_;
  std::optional<std::size_t> value_column_;
};

// The options with every layout of time that was found, so that the next table is read the same way.
std::string as_imported(ImportOptions options, const std::vector<TableMode>& modes) {
  options.time_layouts.clear();
  for (const TableMode& mode : modes) {
    if (!mode.needs_time() || mode.column_name().find('=') != std::string::npos) continue;  // which cannot be said
    const std::string layout = fmt::format("{}={}", mode.column_name(), mode.layout());
    if (std::ranges::find(options.time_layouts, layout) == options.time_layouts.end()) {
      options.time_layouts.push_back(layout);
    }
  }
  return text_of(fields_to_json(options));
}

}  // namespace

Tensor import_table(const std::string& path, const ImportOptions& options, ImportReport& report, Remarks* remarks) {
  const CsvTable table(path, {.separator = separator_of(options.separator),
                              .encoding = options.encoding,
                              .bad_rows = options.bad_rows,
                              .short_rows = options.short_rows,
                              .raw = options.raw,
                              .unpacked_limit = options.unpacked_limit});
  return import_table(table, options, report, remarks);
}

Tensor import_table(const Table& table, const ImportOptions& options, ImportReport& report, Remarks* remarks) {
  validate_fields(options);
  if (options.modes.empty()) {
    fail(ErrorKind::usage, "give the modes of the tensor: `mode NAME=COLUMN`, once for each");
  }
  if (options.modes.size() > max_modes) fail(ErrorKind::usage, "a tensor has at most {} modes", max_modes);
  std::vector<TableMode> modes;
  for (const std::string& text : options.modes) modes.emplace_back(text, table);
  apply_given_values(table, modes);
  apply_orders(options.order, modes);
  decide_layouts(table, options, modes, remarks);

  Filler filler(table, options, modes, report);
  const RowCounts counts =
      table.for_each_row([&](std::span<const std::string> fields, std::uint64_t line) { filler.take(fields, line); });
  report.rows += counts.skipped;
  report.bad += counts.skipped;
  if (counts.apostrophes > 0) {
    remark(remarks,
           "{} cells had an apostrophe that keeps spreadsheets from computing them; it was removed (`raw` keeps it)",
           counts.apostrophes);
  }
  if (!counts.line_ended) remark(remarks, "the last line has no end: is the table complete?");
  if (report.used == 0) {
    fail(ErrorKind::data, "'{}': none of its {} rows has all the cells that the modes need", table.path(), report.rows);
  }
  std::vector<std::uint64_t> extents;
  std::vector<ModeLabels> labels;
  Records& records = filler.records();
  for (std::size_t k = 0; k < modes.size(); ++k) {
    TableMode::Arrangement arranged = modes[k].arrange(remarks);
    for (std::size_t i = 0; i < records.size(); ++i)
      records.index_to_change(i)[k] = arranged.place[records.index(i)[k]];
    extents.push_back(arranged.labels.entries.size());
    labels.push_back(std::move(arranged.labels));
  }
  Labels all(std::move(labels));
  all.set_import_options(as_imported(options, modes));
  return in_file(table.path(),
                 [&] { return Tensor(SparseTensor(IndexSpace(extents), std::move(records)), std::move(all)); });
}

ImportOptions import_options_of(const Labels& labels, const std::string& path) {
  const auto json = json_object_of(labels.import_options());
  if (!json) {
    fail(ErrorKind::data, "'{}' does not say how a table becomes a tensor: make one with 'polyad import' first", path);
  }
  ImportOptions options;
  in_file(path, [&] { fields_from_json(*json, options); });
  return options;
}

Json to_json(const ImportReport& report, const Tensor& tensor) {
  Json out{{"rows", report.rows}, {"used", report.used}, {"bad", report.bad}, {"empty", Json::object()}};
  for (const auto& [column, rows] : report.empty) out["empty"][column] = rows;
  out["shape"] = tensor.space().extents();
  if (tensor.is_sparse()) out["listed"] = tensor.listed();
  return out;
}

std::string json_text(const ImportReport& report, const Tensor& tensor) {
  return to_json(report, tensor).dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace polyad
