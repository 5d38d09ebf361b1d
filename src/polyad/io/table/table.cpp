#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/table/table.hpp>
#include <polyad/io/tns/fields.hpp>

#include <algorithm>
#include <utility>

namespace polyad {

std::size_t Table::column(std::string_view name) const {
  const std::vector<std::string>& names_there = header();
  const auto found = std::ranges::find(names_there, name);
  if (found != names_there.end()) {
    const auto first = static_cast<std::size_t>(found - names_there.begin());
    const auto again = std::find(found + 1, names_there.end(), name);
    if (again != names_there.end()) {
      fail(ErrorKind::data, "'{}': columns {} and {} are both named '{}'; name a column by its number, such as #{}",
           path(), first + 1, again - names_there.begin() + 1, name, first + 1);
    }
    return first;
  }
  if (name.starts_with('#')) {
    const auto number = parse_whole(name.substr(1));
    if (number && *number >= 1 && *number <= names_there.size()) return static_cast<std::size_t>(*number - 1);
  }
  const std::vector<std::string_view> names(names_there.begin(), names_there.end());
  fail(ErrorKind::usage, "'{}' has no column '{}'{}; its columns: {}", path(), name, did_you_mean(name, names),
       joined(names_there, ", "));
}

CodedTable::CodedTable(std::string path, std::vector<CodedColumn> columns)
    : path_(std::move(path)), columns_(std::move(columns)) {
  for (const CodedColumn& column : columns_) {
    header_.push_back(column.name);
    if (column.codes.size() != columns_.front().codes.size()) {
      fail(ErrorKind::data, "column '{}' has {} rows, column '{}' has {}", column.name, column.codes.size(),
           columns_.front().name, columns_.front().codes.size());
    }
    const auto most = static_cast<std::int64_t>(column.values.size());
    if (std::ranges::any_of(column.codes, [&](std::int64_t code) { return code >= most; })) {
      fail(ErrorKind::data, "column '{}' has a code beyond its {} values", column.name, most);
    }
  }
}

RowCounts CodedTable::for_each_row(
    const std::function<void(std::span<const std::string>, std::uint64_t)>& visit) const {
  const std::size_t rows = columns_.empty() ? 0 : columns_.front().codes.size();
  std::vector<std::string> fields(columns_.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const std::int64_t code = columns_[k].codes[i];
      if (code < 0) {
        fields[k].clear();
      } else {
        fields[k] = columns_[k].values[static_cast<std::size_t>(code)];
      }
    }
    visit(fields, i);
  }
  return {};
}

std::span<const std::string> CodedTable::given_values(std::size_t column) const {
  if (!columns_[column].given) return {};
  return columns_[column].values;
}

}  // namespace polyad
