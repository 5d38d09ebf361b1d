#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/table/table_mode.hpp>
#include <polyad/io/table/timestamps.hpp>
#include <polyad/io/text/unicode.hpp>
#include <polyad/io/tns/fields.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

namespace polyad {
namespace {

constexpr std::array<std::string_view, 8> function_words = {"day",  "week",    "month",         "year",
                                                            "hour", "weekday", "month-of-year", "bin"};
constexpr std::array<std::string_view, 7> weekday_words = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
constexpr std::array<std::string_view, 12> month_words = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

struct ParsedFunction {
  TableFunction function = TableFunction::text;
  double width = 1;
};

std::optional<ParsedFunction> parse_function(std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view word = text.substr(0, equals);
  const auto found = std::ranges::find(function_words, word);
  if (found == function_words.end()) return std::nullopt;
  ParsedFunction out{static_cast<TableFunction>(found - function_words.begin() + 1), 1};
  if (out.function == TableFunction::bin) {
    const auto width = parse_number(equals < text.size() ? text.substr(equals + 1) : "");
    if (!width || !(*width > 0) || !std::isfinite(*width)) {
      fail(ErrorKind::usage, "`mode`: '{}' needs the width of a bin, a number above 0: bin=0.5", text);
    }
    out.width = *width;
  } else if (equals < text.size()) {
    fail(ErrorKind::usage, "`mode`: '{}': {} takes no value", text, word);
  }
  return out;
}

std::int64_t time_key(TableFunction function, const Timestamp& time) {
  const Date date = date_of(time.day);
  switch (function) {
    case TableFunction::day:
      return time.day;
    case TableFunction::week:
      return time.day - weekday_of(time.day);
    case TableFunction::month:
      return date.year * 12 + date.month - 1;
    case TableFunction::year:
      return date.year;
    case TableFunction::hour:
      return time.hour;
    case TableFunction::weekday:
      return weekday_of(time.day);
    default:
      return date.month - 1;
  }
}

// All keys there can be, where these are few and fixed.
std::int64_t fixed_keys(TableFunction function) {
  switch (function) {
    case TableFunction::hour:
      return 24;
    case TableFunction::weekday:
      return 7;
    case TableFunction::month_of_year:
      return 12;
    default:
      return 0;
  }
}

std::string date_text(std::int64_t day) {
  const Date date = date_of(day);
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

}  // namespace

bool is_no_value(std::string_view cell) {
  if (cell.empty()) return true;
  for (const std::string_view word : {"NA", "N/A", "NaN", "nan", "NULL", "null", "None", "-"}) {
    if (cell == word) return true;
  }
  return cell.find_first_not_of(" \t") == std::string_view::npos;
}

TableMode::TableMode(const std::string& text, const Table& table) {
  std::string_view rest = text;
  // A column may have '=' or ':' in its name: the whole text is tried as a column first.
  const auto is_column = [&](std::string_view name) {
    return std::ranges::find(table.header(), name) != table.header().end();
  };
  const std::size_t equals = rest.find('=');
  if (!is_column(rest) && equals != std::string_view::npos && equals > 0) {
    const std::size_t colon = rest.find(':');
    // "COLUMN:bin=5" has its '=' after the ':'.
    if (colon == std::string_view::npos || equals < colon) {
      name_ = rest.substr(0, equals);
      rest.remove_prefix(equals + 1);
    }
  }
  if (!is_column(rest)) {
    const std::size_t colon = rest.rfind(':');
    if (colon != std::string_view::npos) {
      const std::string_view word = rest.substr(colon + 1);
      const auto parsed = parse_function(word);
      if (!parsed) {
        fail(ErrorKind::usage, "`mode`: '{}': '{}' is not a function; there are {}{}", text, word,
             joined(function_words, ", "), did_you_mean(word, function_words));
      }
      function_ = parsed->function;
      width_ = parsed->width;
      rest.remove_suffix(word.size() + 1);
    }
  }
  column_name_ = rest;
  column_ = table.column(rest);
  if (name_.empty()) name_ = column_name_;
}

bool TableMode::needs_time() const {
  return function_ != TableFunction::text && function_ != TableFunction::bin;
}

CellState TableMode::take_key(std::int64_t key, Index& number) {
  const auto [entry, fresh] = key_numbers_.try_emplace(key, static_cast<Index>(keys_.size()));
  if (fresh) {
    keys_.push_back(key);
    rows_.push_back(0);
  }
  number = entry->second;
  return CellState::fine;
}

CellState TableMode::take(std::string_view cell, Index& number) {
  if (function_ == TableFunction::text) {
    if (cell.empty()) return CellState::empty;
    const auto found = text_numbers_.find(std::string(cell));
    if (found != text_numbers_.end()) {
      number = found->second;
      return CellState::fine;
    }
    if (!is_utf8(cell)) return CellState::bad;
    number = static_cast<Index>(texts_.size());
    text_numbers_.emplace(cell, number);
    texts_.emplace_back(cell);
    rows_.push_back(0);
    return CellState::fine;
  }
  if (is_no_value(cell)) return CellState::empty;
  if (function_ == TableFunction::bin) {
    const auto value = parse_number(cell);
    if (!value || !std::isfinite(*value)) return CellState::bad;
    const double bin = std::floor(*value / width_);
    if (std::abs(bin) > 0x1p53) return CellState::bad;
    return take_key(static_cast<std::int64_t>(bin), number);
  }
  const auto time = parse_timestamp(cell, layout_);
  return time ? take_key(time_key(function_, *time), number) : CellState::bad;
}

std::string TableMode::label_of(std::int64_t key) const {
  switch (function_) {
    case TableFunction::day:
    case TableFunction::week:
      return date_text(key);
    case TableFunction::month:
      return fmt::format("{:04}-{:02}", key / 12, key % 12 + 1);
    case TableFunction::hour:
      return fmt::format("{:02}:00", key);
    case TableFunction::weekday:
      return std::string(weekday_words[static_cast<std::size_t>(key)]);
    case TableFunction::month_of_year:
      return std::string(month_words[static_cast<std::size_t>(key)]);
    case TableFunction::bin:
      return fmt::format("{:.12g} to {:.12g}", static_cast<double>(key) * width_,
                         static_cast<double>(key + 1) * width_);
    default:
      return fmt::format("{}", key);
  }
}

TableMode::Arrangement TableMode::arrange_texts() const {
  std::vector<std::optional<double>> numbers;
  bool all_numbers = true;
  for (const std::string& text : texts_) {
    numbers.push_back(parse_number(text));
    all_numbers = all_numbers && numbers.back() && std::isfinite(*numbers.back());
  }
  std::vector<Index> order(texts_.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) {
    if (order_ == LabelOrder::frequency && rows_[a] != rows_[b]) return rows_[a] > rows_[b];
    if (order_ == LabelOrder::appearance) return false;
    if (all_numbers && *numbers[a] != *numbers[b]) return *numbers[a] < *numbers[b];
    return texts_[a] < texts_[b];
  });
  Arrangement out{{name_, {}}, std::vector<Index>(order.size())};
  for (std::size_t i = 0; i < order.size(); ++i) {
    out.labels.entries.push_back(texts_[order[i]]);
    out.place[order[i]] = static_cast<Index>(i);
  }
  return out;
}

TableMode::Arrangement TableMode::arrange_keys(Remarks* remarks) const {
  const auto [least, most] = std::ranges::minmax(keys_);
  const std::int64_t step = function_ == TableFunction::week ? 7 : 1;
  const std::int64_t fixed = fixed_keys(function_);
  const auto span = (static_cast<double>(most) - static_cast<double>(least)) / static_cast<double>(step) + 1;
  std::vector<std::int64_t> all;
  if (order_ == LabelOrder::natural && fixed > 0) {
    all.resize(static_cast<std::size_t>(fixed));
    std::iota(all.begin(), all.end(), std::int64_t{0});
  } else if (order_ == LabelOrder::natural && span <= 10 * static_cast<double>(keys_.size()) + 100) {
    // A day without a row is a day with zeros, not a day that was not.
    for (std::int64_t key = least; key <= most; key += step) all.push_back(key);
  } else {
    all = keys_;
    std::ranges::stable_sort(all, [&](std::int64_t a, std::int64_t b) {
      if (order_ == LabelOrder::appearance) return false;
      const std::uint64_t rows_a = rows_[key_numbers_.at(a)], rows_b = rows_[key_numbers_.at(b)];
      if (order_ == LabelOrder::frequency && rows_a != rows_b) return rows_a > rows_b;
      return a < b;
    });
    if (order_ == LabelOrder::natural) {
      remark(remarks, "{}: {} to {} has wide gaps; only what occurs has an index", name_, label_of(least),
             label_of(most));
    }
  }
  if (all.size() > keys_.size() && fixed == 0) {
    remark(remarks, "{}: {} of {} from {} to {} have no rows and are all zeros", name_, all.size() - keys_.size(),
           all.size(), label_of(least), label_of(most));
  }
  Arrangement out{{name_, {}}, std::vector<Index>(keys_.size())};
  for (std::size_t i = 0; i < all.size(); ++i) {
    out.labels.entries.push_back(label_of(all[i]));
    const auto found = key_numbers_.find(all[i]);
    if (found != key_numbers_.end()) out.place[found->second] = static_cast<Index>(i);
  }
  return out;
}

TableMode::Arrangement TableMode::arrange(Remarks* remarks) const {
  return function_ == TableFunction::text ? arrange_texts() : arrange_keys(remarks);
}

}  // namespace polyad
