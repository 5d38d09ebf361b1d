#include <polyad/base/error.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/table/csv_rows.hpp>
#include <polyad/io/table/csv_table.hpp>
#include <polyad/io/text/unicode.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace polyad {
namespace {

char likely_separator(std::string_view beginning) {
  const std::string_view line = beginning.substr(0, beginning.find('\n'));
  char best = ',';
  std::ptrdiff_t most = 0;
  for (const char candidate : {',', ';', '\t', '|'}) {
    const auto count = std::count(line.begin(), line.end(), candidate);
    if (count > most) {
      most = count;
      best = candidate;
    }
  }
  return best;
}

// The bytes 0x80 to 0x9f of Windows-1252, which Latin-1 leaves to control characters; 0xfffd where there is none.
constexpr std::array<char32_t, 32> windows_1252_high = {0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
                                                        0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0xfffd, 0x017d, 0xfffd,
                                                        0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                                        0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178};

bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

std::string utf8_of_windows_1252(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(out, byte >= 0x80 && byte < 0xa0 ? windows_1252_high[byte - 0x80U] : char32_t{byte});
  }
  return out;
}

}  // namespace

CsvTable::CsvTable(std::string path, TableRules rules) : path_(std::move(path)), rules_(rules) {
  InputFile file(path_, rules_.unpacked_limit);
  if (!file.ordinary()) {
    fail(ErrorKind::file, "cannot read '{}': a table is read twice, which needs an ordinary file, not a stream", path_);
  }
  if (!is_text(file)) {
    fail(ErrorKind::data, "'{}' is {}, not a table of separated values", path_, format_name(file));
  }
  if (!rules_.separator) rules_.separator = likely_separator(first_content(file));
  read_header();
}

void CsvTable::read_header() {
  parse([&](const CsvRow& row) {
    header_.assign(row.fields.begin(), row.fields.end());
    for (std::size_t k = 0; k < header_.size(); ++k) {
      std::string& name = header_[k];
      if (rules_.encoding == TableEncoding::windows_1252) name = utf8_of_windows_1252(name);
      if (!is_utf8(name)) {
        fail_at(path_, row.line, "the name of column {}, '{}', is not UTF-8; say `encoding windows-1252` if it is that",
                k + 1, excerpt(name));
      }
      if (!rules_.raw) take_apostrophe_off(name);
      // Names stand in messages, which are one line.
      for (char& c : name) {
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
      }
    }
    return false;
  });
  if (header_.empty()) fail(ErrorKind::data, "'{}' is empty: a table begins with a line of column names", path_);
}

bool CsvTable::parse(const std::function<bool(const CsvRow&)>& on_row) const {
  InputFile file(path_, rules_.unpacked_limit);
  const auto decoder = make_decoder(file);
  CsvRows rows(path_, *rules_.separator, on_row);
  std::vector<char> block(std::size_t{256} * 1024);
  for (bool first = true;; first = false) {
    std::size_t got = 0;
    // A whole block, so that a byte order mark is never cut.
    while (got < block.size()) {
      const std::size_t part = decoder ? decoder->read(block.data() + got, block.size() - got)
                                       : file.read(block.data() + got, block.size() - got);
      if (part == 0) break;
      got += part;
    }
    if (got == 0) return rows.finish();
    std::string_view text(block.data(), got);
    if (first && text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    if (!rows.take(text)) return true;
  }
}

// Whether a row can be used; where it cannot, the error or false.
bool CsvTable::check_row(const CsvRow& row) const {
  const bool skip = rules_.bad_rows == BadRows::skip;
  const std::size_t count = row.fields.size();
  const bool fits = count == header_.size() || (count < header_.size() && rules_.short_rows == ShortRows::fill);
  if (!fits && !skip) {
    fail_at(path_, row.line, "{} field{}, but the header has {}; {}; or say `bad-rows skip`", count,
            count == 1 ? "" : "s", header_.size(),
            count > header_.size()
                ? fmt::format("is a text with '{}' in it not in quotes, or the separator wrong?", *rules_.separator)
                : fmt::format("is the row cut short? Fill such rows with empty cells by {}",
                              option_name("short-rows", "fill")));
  }
  if (!fits) return false;
  if (rules_.encoding != TableEncoding::utf8) return true;
  for (std::size_t k = 0; k < count; ++k) {
    if (is_ascii(row.fields[k]) || is_utf8(row.fields[k])) continue;
    if (skip) return false;
    fail_at(path_, row.line,
            "'{}' in column '{}' is not UTF-8; say `encoding windows-1252` if it is that, or `bad-rows skip`",
            excerpt(row.fields[k]), header_[k]);
  }
  return true;
}

RowCounts CsvTable::for_each_row(const std::function<void(std::span<const std::string>, std::uint64_t)>& visit) const {
  bool first = true;
  RowCounts counts;
  std::vector<std::string> cells(header_.size());
  counts.line_ended = parse([&](const CsvRow& row) {
    if (std::exchange(first, false)) return true;
    if (!check_row(row)) {
      ++counts.skipped;
      return true;
    }
    // Most rows are given out as they are.
    const bool marked =
        !rules_.raw && std::ranges::any_of(row.fields, [](const std::string& f) { return f.starts_with('\''); });
    if (!marked && rules_.encoding == TableEncoding::utf8 && row.fields.size() == cells.size()) {
      visit(row.fields, row.line);
      return true;
    }
    for (std::size_t k = 0; k < cells.size(); ++k) {
      cells[k] = k < row.fields.size() ? row.fields[k] : std::string();
      if (rules_.encoding == TableEncoding::windows_1252 && !is_ascii(cells[k]))
        cells[k] = utf8_of_windows_1252(cells[k]);
      if (!rules_.raw && take_apostrophe_off(cells[k])) ++counts.apostrophes;
    }
    visit(cells, row.line);
    return true;
  });
  return counts;
}

}  // namespace polyad
