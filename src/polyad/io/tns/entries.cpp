#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/tns/entries.hpp>
#include <polyad/io/tns/fields.hpp>
#include <polyad/tensor/sparse.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace polyad {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') < 10;
}

}  // namespace

TnsEntries::TnsEntries(std::string path, std::size_t modes, bool values, std::string fields_from, bool keep_bad_values)
    : path_(std::move(path)),
      modes_(modes),
      values_(values),
      fields_from_(std::move(fields_from)),
      keep_bad_values_(keep_bad_values),
      records_(modes) {
  clear();
}

std::uint64_t TnsEntries::parse(std::string_view lines, std::uint64_t first_line) {
  const char* const begin = lines.data();
  const char* const end = begin + lines.size();
  return values_ ? parse_lines<true>(begin, end, first_line) : parse_lines<false>(begin, end, first_line);
}

template <bool with_values>
std::uint64_t TnsEntries::parse_lines(const char* at, const char* end, std::uint64_t line) {
  const std::uint64_t first = line;
  for (; at < end; ++line) {
    if (const char* next = parse_entry<with_values>(at, end, line)) {
      at = next;
      continue;
    }
    const char* const stop = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    parse_with_care({at, static_cast<std::size_t>(stop - at)}, line);
    at = stop + 1;
  }
  return line - first;
}

// The usual line, or nullptr where there is anything unusual about it. Every loop ends at the line's '\n' at the latest.
template <bool with_values>
const char* TnsEntries::parse_entry(const char* at, const char* end, std::uint64_t line) {
  std::array<Index, max_modes> index;
  for (std::size_t k = 0; k < modes_; ++k) {
    while (is_blank(*at)) ++at;
    const char* const digits = at;
    std::uint64_t number = 0;
    while (is_digit(*at)) number = 10 * number + static_cast<std::uint64_t>(*at++ - '0');
    if (at == digits || at - digits > 10 || number > max_held_extent) return nullptr;
    index[k] = static_cast<Index>(number);
    if ((with_values || k + 1 < modes_) && !is_blank(*at)) return nullptr;
  }
  double value = 1;
  if constexpr (with_values) {
    while (is_blank(*at)) ++at;
    // Counts, the usual values, need no general parser; 15 digits are exact.
    const char* const begin = at;
    std::uint64_t whole = 0;
    while (is_digit(*at)) whole = 10 * whole + static_cast<std::uint64_t>(*at++ - '0');
    if (at > begin && at - begin <= 15 && (*at == '\n' || *at == '\r' || is_blank(*at))) {
      value = static_cast<double>(whole);
    } else {
      const auto [stop, error] = std::from_chars(begin, end, value);
      if (error != std::errc{} || !std::isfinite(value)) return nullptr;
      at = stop;
    }
  }
  while (is_blank(*at)) ++at;
  if (*at == '\r') ++at;
  if (*at != '\n') return nullptr;
  append(index.data(), value, line);
  return at + 1;
}

TnsEntries TnsEntries::empty_copy() const {
  TnsEntries part = *this;
  part.clear();
  return part;
}

void TnsEntries::clear() {
  records_.clear();
  smallest_ = {~std::uint64_t{0}, 0, 0};
  for (std::size_t k = 0; k < modes_; ++k) largest_[k] = {0, 0, k};
}

void TnsEntries::join(TnsEntries& part, double share) {
  const std::size_t together = records_.size() + part.records_.size();
  if (share > 0) {
    const double all = static_cast<double>(together) / share;
    require_memory(sparse_bytes(modes_, false, static_cast<std::uint64_t>(all)),
                   fmt::format("'{}': a sparse tensor of about {:.3g} entries", path_, all));
  }
  // A little more than in proportion, but no leaps on the word of a few lines. Memory that stays unused is not even mapped.
  if (together > records_.capacity() && share > 0) {
    records_.reserve(static_cast<std::size_t>(static_cast<double>(together) * std::min(1.1 / share, 8.0)));
  }
  records_.append(part.records_);
  if (part.smallest_.index < smallest_.index) smallest_ = part.smallest_;
  for (std::size_t k = 0; k < modes_; ++k) {
    if (part.largest_[k].index > largest_[k].index) largest_[k] = part.largest_[k];
  }
  part.clear();
}

void TnsEntries::append(const Index* index, double value, std::uint64_t line) {
  for (std::size_t k = 0; k < modes_; ++k) {
    if (index[k] < smallest_.index) smallest_ = {index[k], line, k};
    if (index[k] > largest_[k].index) largest_[k] = {index[k], line, k};
  }
  records_.append(index, value);
}

void TnsEntries::parse_with_care(std::string_view text, std::uint64_t line) {
  const TnsFields fields(text);
  if (fields.count == 0) return;
  const std::size_t expected = modes_ + (values_ ? 1 : 0);
  if (fields.count != expected) {
    fail_at(path_, line, "{} field{}, expected {} ({} ind{}{}; {})", fields.count, fields.count == 1 ? "" : "s",
            expected, modes_, modes_ == 1 ? "ex" : "ices", values_ ? " and a value" : "", fields_from_);
  }
  std::array<Index, max_modes> index{};
  for (std::size_t k = 0; k < modes_; ++k) {
    const std::string_view field = fields.fields[k];
    const auto number = parse_whole(field);
    if (!number) {
      const bool digits = !field.empty() && field.find_first_not_of("0123456789") == std::string_view::npos;
      fail_at(path_, line, "field {}: '{}' is not an index: {}", k + 1, excerpt(field),
              digits                   ? "it is far too large"
              : field.starts_with('-') ? "indices are not negative"
              : is_of_table(field)     ? "indices are whole numbers; if this is a table, use 'polyad import'"
                                       : "indices are whole numbers");
    }
    if (*number > max_held_extent) {
      fail_at(path_, line, "field {}: index {} is too large: polyad holds indices up to {}, whatever the shape", k + 1,
              *number, max_held_extent);
    }
    index[k] = static_cast<Index>(*number);
  }
  double value = 1;
  if (values_) {
    const std::string_view field = fields.fields[modes_];
    const auto number = parse_number(field);
    if (!number) fail_at(path_, line, "field {}: '{}' is not a number", modes_ + 1, excerpt(field));
    if (std::isnan(*number) && !keep_bad_values_) {
      fail_at(path_, line,
              "field {}: the value is NaN, which only dense files may hold; leave missing cells out and say "
              "`unlisted missing`",
              modes_ + 1);
    }
    if (std::isinf(*number) && !keep_bad_values_) {
      fail_at(path_, line, "field {}: the value '{}' is not finite", modes_ + 1, excerpt(field));
    }
    value = *number;
  }
  append(index.data(), value, line);
}

}  // namespace polyad
