#pragma once
// One mode of an imported table: from cells to keys, and from keys to labels in their order.

#include <polyad/files.hpp>
#include <polyad/io/table/csv_table.hpp>
#include <polyad/tensor.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace polyad {

enum class TableFunction { text, day, week, month, year, hour, weekday, month_of_year, bin };

/// What a cell turned out to be.
enum class CellState { fine, empty, bad };

class TableMode {
 public:
  /// From "NAME=COLUMN:FUNCTION"; usage errors name the part that is wrong.
  TableMode(const std::string& text, const Table& table);

  const std::string& name() const { return name_; }
  std::size_t column() const { return column_; }
  const std::string& column_name() const { return column_name_; }
  bool needs_time() const;
  const std::string& layout() const { return layout_; }
  bool takes_text() const { return function_ == TableFunction::text; }
  void set_layout(std::string layout) { layout_ = std::move(layout); }
  void set_order(LabelOrder order) { order_ = order; }

  /// The number of the cell's key, new keys getting the next one.
  CellState take(std::string_view cell, Index& number);
  /// Counts a row for a key.
  void count(Index number) { ++rows_[number]; }

  /// Labels in their order, and for each key's number its place among them. Says what it filled up.
  struct Arrangement {
    ModeLabels labels;
    std::vector<Index> place;
  };
  Arrangement arrange(Remarks* remarks) const;

 private:
  CellState take_key(std::int64_t key, Index& number);
  std::string label_of(std::int64_t key) const;
  Arrangement arrange_texts() const;
  Arrangement arrange_keys(Remarks* remarks) const;

  std::string name_;
  std::string column_name_;
  std::size_t column_ = 0;
  TableFunction function_ = TableFunction::text;
  double width_ = 1;
  LabelOrder order_ = LabelOrder::natural;
  std::string layout_;
  std::unordered_map<std::string, Index> text_numbers_;
  std::vector<std::string> texts_;
  std::unordered_map<std::int64_t, Index> key_numbers_;
  std::vector<std::int64_t> keys_;
  std::vector<std::uint64_t> rows_;  // by key
};

/// Whether a cell says that there is no value: nothing, NA, NULL, NaN and the like.
bool is_no_value(std::string_view cell);

}  // namespace polyad
