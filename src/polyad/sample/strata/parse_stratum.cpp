#include <polyad/base/fields.hpp>
#include <polyad/base/text.hpp>
#include <polyad/sample/strata/strata.hpp>

#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace polyad {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

template <class T>
T number(const std::string& where, std::string_view text) {
  T value{};
  parse_value(where, text, value);
  return value;
}

ValueRange parse_range(const std::string& where, std::string_view text) {
  const std::size_t dots = text.find("..");
  ValueRange range;
  if (dots == std::string_view::npos) {
    range.low = range.high = number<double>(where, text);
    return range;
  }
  const std::string_view low = text.substr(0, dots);
  std::string_view high = text.substr(dots + 2);
  range.without_high = high.starts_with('<');
  if (range.without_high) high.remove_prefix(1);
  if (range.without_high && high.empty()) {
    fail(ErrorKind::usage, "{}: '{}' has no upper end after '<'; write LO..<HI or LO..", where, text);
  }
  if (!low.empty()) range.low = number<double>(where, low);
  if (!high.empty()) range.high = number<double>(where, high);
  if (range.low > range.high || (range.without_high && range.low == range.high) || std::isnan(range.low) ||
      std::isnan(range.high)) {
    fail(ErrorKind::usage, "{}: no value lies in '{}'; write the smaller end first", where, text);
  }
  return range;
}

Box parse_box(const std::string& where, std::string_view text, const IndexSpace& space) {
  const std::vector<std::string_view> items = split(text, ',');
  if (items.size() != space.modes()) {
    fail(ErrorKind::usage, "{}: '{}' has {} items, but the tensor has {} modes; write one per mode, * for all indices",
         where, text, items.size(), space.modes());
  }
  Box box = Box::whole(space);
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (items[k] == "*") continue;
    const std::size_t dash = items[k].find('-');
    const auto first = number<std::uint64_t>(where, items[k].substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number<std::uint64_t>(where, items[k].substr(dash + 1));
    if (first < 1 || first > last || last > space.extent(k)) {
      fail(ErrorKind::usage, "{}: '{}' is not a range within 1-{}, the indices of mode {}", where, items[k],
           space.extent(k), k + 1);
    }
    box.low[k] = static_cast<Index>(first - 1);
    box.extent[k] = last - first + 1;
  }
  return box;
}

}  // namespace

StratumSpec parse_stratum(std::string_view text, const IndexSpace& space) {
  const std::string where = fmt::format("stratum '{}'", text);
  StratumSpec spec;
  spec.text = text;
  spec.box = Box::whole(space);
  const std::vector<std::string_view> parts = split(text, ':');
  parse_value(where, parts[0], spec.of);
  std::set<std::string_view> seen;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    const std::string_view key = parts[i].substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : parts[i].substr(equals + 1);
    if (!seen.insert(key).second) fail(ErrorKind::usage, "{}: '{}' is written twice", where, key);
    const std::string at = fmt::format("{}, {}", where, key);
    if (key == "values" && spec.of == StratumSpec::Of::zeros) {
      fail(ErrorKind::usage, "{}: all zeros have the value 0; leave it out", at);
    } else if (key == "values") {
      spec.values = parse_range(at, value);
    } else if (key == "box") {
      spec.box = parse_box(at, value, space);
    } else if (key == "samples") {
      spec.samples = number<std::uint64_t>(at, value);
      if (*spec.samples == 0) fail(ErrorKind::usage, "{}: a stratum needs at least 1 sample", at);
    } else {
      constexpr std::array<std::string_view, 3> keys = {"values", "box", "samples"};
      fail(ErrorKind::usage, "{}: '{}' is not one of {}{}", where, key, joined(keys, ", "), did_you_mean(key, keys));
    }
  }
  return spec;
}

}  // namespace polyad
