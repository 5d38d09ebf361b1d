#include <polyad/io/messages.hpp>
#include <polyad/io/table/csv_rows.hpp>
#include <polyad/io/tns/fields.hpp>

#include <algorithm>
#include <utility>

namespace polyad {
namespace {

constexpr std::size_t longest_field = std::size_t{1} << 20;

bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

// Apostrophes, if any, and then what begins a formula. One apostrophe more or less keeps all such texts apart.
bool would_be_computed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('\''), text.size()));
  return !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
}

bool is_plain_number(std::string_view text) {
  return text.find_first_not_of("0123456789+-.eE") == std::string_view::npos && parse_number(text).has_value();
}

}  // namespace

CsvRows::CsvRows(std::string path, char separator, std::function<bool(const CsvRow&)> visit)
    : path_(std::move(path)), separator_(separator), visit_(std::move(visit)) {}

void CsvRows::unclosed() const {
  fail_at(path_, quote_line_, "the quote that opens column {} here is not closed; close it, or double it if it is text",
          used_);
}

void CsvRows::begin_field() {
  if (used_ == fields_.size()) fields_.emplace_back();
  fields_[used_++].clear();
  field_end_ = 0;
}

void CsvRows::put(char c) {
  put_all({&c, 1});
}

void CsvRows::put_all(std::string_view text) {
  std::string& field = fields_[used_ - 1];
  field += text;
  if (field.size() <= longest_field) return;
  if (state_ == State::quoted) unclosed();
  fail_at(path_, row_line_, "column {} has over a million bytes; is this a table of separated values?", used_);
}

void CsvRows::end_field() {
  if (state_ == State::before_field) begin_field();
  if (state_ == State::plain) fields_[used_ - 1].resize(field_end_);
  state_ = State::before_field;
}

bool CsvRows::end_row() {
  const bool blank = used_ == 0 && state_ == State::before_field && !any_;
  if (blank) return true;
  end_field();
  const bool more = visit_({{fields_.data(), used_}, row_line_});
  used_ = 0;
  any_ = false;
  return more;
}

bool CsvRows::step(char c) {
  const bool blank = (c == ' ' || c == '\t') && c != separator_;
  switch (state_) {
    case State::before_field:
      if (blank) break;
      if (c == separator_) {
        begin_field();
        any_ = true;
      } else if (is_line_end(c)) {
        return end_row();
      } else {
        begin_field();
        any_ = true;
        quote_line_ = line_;
        state_ = c == '"' ? State::quoted : State::plain;
        if (c != '"') {
          put(c);
          field_end_ = 1;
        }
      }
      break;
    case State::plain:
      if (c == separator_) {
        end_field();
      } else if (is_line_end(c)) {
        return end_row();
      } else if (c == '"') {
        fail_at(path_, line_,
                "a quote within column {}, which does not begin with one; put the whole field in quotes and double the "
                "quotes within",
                used_);
      } else {
        put(c);
        if (!blank) field_end_ = fields_[used_ - 1].size();
      }
      break;
    case State::quoted:
      if (c == '"') {
        state_ = State::quote_in_quoted;
      } else {
        put(c);
      }
      break;
    case State::quote_in_quoted:
    case State::after_quoted:
      if (c == '"' && state_ == State::quote_in_quoted) {
        state_ = State::quoted;
        put(c);
      } else if (c == separator_) {
        end_field();
      } else if (is_line_end(c)) {
        return end_row();
      } else if (blank) {
        state_ = State::after_quoted;
      } else if (quote_line_ == line_) {
        fail_at(path_, line_, "'{}' follows the quote that closes column {}; quotes within a field are doubled",
                excerpt({&c, 1}), used_);
      } else {
        fail_at(path_, quote_line_,
                "the quote that opens column {} here seems not to be closed: the next one, on line {}, stands within a "
                "field; close it, or double it if it is text",
                used_, line_);
      }
      break;
  }
  return true;
}

bool CsvRows::take(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    // Runs of ordinary bytes at once.
    if (state_ == State::quoted || state_ == State::plain) {
      const auto begin = text.begin() + static_cast<std::ptrdiff_t>(at);
      const auto stop = std::find_if(begin, text.end(), [&](char c) {
        return c == separator_ || c == '"' || static_cast<unsigned char>(c) <= ' ';
      });
      const auto run = static_cast<std::size_t>(stop - begin);
      if (run > 0) {
        put_all(text.substr(at, run));
        field_end_ = fields_[used_ - 1].size();
        at += run;
        after_return_ = false;
        line_ended_ = false;
        continue;
      }
    }
    const char c = text[at++];
    if (c == '\0') {
      fail_at(path_, line_, "a zero byte; a table is text: if a spreadsheet wrote it as UTF-16, save it as UTF-8");
    }
    const bool second_of_two = c == '\n' && after_return_;
    // Within quotes both bytes of \r\n are text; outside the second ends nothing.
    if (!second_of_two || state_ == State::quoted) {
      if (!step(c)) return false;
    }
    if (is_line_end(c) && !second_of_two) ++line_;
    if (used_ == 0 && state_ == State::before_field && is_line_end(c)) row_line_ = line_;
    after_return_ = c == '\r';
    line_ended_ = is_line_end(c);
  }
  return true;
}

bool CsvRows::finish() {
  if (state_ == State::quoted) unclosed();
  end_row();
  return line_ended_;
}

std::string csv_cell(std::string_view text, bool raw) {
  const bool mark = !raw && would_be_computed(text) && !is_plain_number(text);
  const bool quote =
      text.find_first_of(",;\t\"\r\n|") != std::string_view::npos || text.starts_with(' ') || text.ends_with(' ');
  std::string out;
  if (quote) out += '"';
  if (mark) out += '\'';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  if (quote) out += '"';
  return out;
}

bool take_apostrophe_off(std::string& cell) {
  if (!cell.starts_with('\'') || !would_be_computed(cell)) return false;
  cell.erase(0, 1);
  return true;
}

}  // namespace polyad
