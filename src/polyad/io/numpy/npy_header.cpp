#include <polyad/base/error.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/numpy/numpy.hpp>
#include <polyad/io/tns/fields.hpp>

#include <algorithm>
#include <bit>

namespace polyad {
namespace {

// A reader of just the Python literals that a header may hold: texts, True, False and tuples of whole numbers.
class Literals {
 public:
  Literals(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  bool take(char c) {
    skip_blanks();
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) broken();
  }
  bool at_end() {
    skip_blanks();
    return text_.empty();
  }
  char peek() {
    skip_blanks();
    return text_.empty() ? '\0' : text_[0];
  }
  std::string_view text() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') broken();
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) broken();
    const std::string_view out = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return out;
  }
  bool truth() {
    skip_blanks();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    broken();
  }
  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> out;
    expect('(');
    while (!take(')')) {
      skip_blanks();
      const std::size_t size = std::min(text_.find_first_not_of("0123456789"), text_.size());
      const auto number = parse_whole(text_.substr(0, size));
      if (!number) broken();
      out.push_back(*number);
      text_.remove_prefix(size);
      if (text_.starts_with('L')) text_.remove_prefix(1);  // Python 2 wrote long integers so
      if (!take(',') && peek() != ')') broken();
    }
    return out;
  }
  [[noreturn]] void broken() const {
    fail(ErrorKind::data, "'{}' is a damaged .npy file: its header makes no sense at '{}'", path_, excerpt(text_));
  }

 private:
  void skip_blanks() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t\n\r"), text_.size())); }

  const std::string& path_;
  std::string_view text_;
};

// What an unusable type is, for people; empty where polyad can use it.
std::string_view unusable(char kind, std::size_t bytes) {
  switch (kind) {
    case 'f':
      return bytes == 4 || bytes == 8 ? "" : "floats of another size";
    case 'i':
    case 'u':
      return bytes <= 8 && std::has_single_bit(bytes) ? "" : "integers of another size";
    case 'b':
      return bytes == 1 ? "" : "booleans of another size";
    case 'c':
      return "complex numbers";
    case 'O':
      return "Python objects";
    case 'S':
    case 'U':
      return "texts";
    case 'M':
    case 'm':
      return "dates or durations";
    default:
      return "values of another kind";
  }
}

constexpr std::size_t longest_text = std::size_t{1} << 20;

void set_type(const std::string& path, std::string_view type, bool texts, NpyHeader& header) {
  const bool formed = type.size() >= 2 && std::string_view("<>|=").find(type[0]) != std::string_view::npos;
  if (formed) {
    header.big_endian = type[0] == '>';
    header.kind = type[1];
    header.bytes = parse_whole(type.substr(2)).value_or(0);
  }
  if (formed && texts && (header.kind == 'U' || header.kind == 'S') && header.bytes < longest_text) {
    if (header.kind == 'U') header.bytes *= 4;
    return;
  }
  const std::string_view what = formed ? unusable(header.kind, header.bytes) : "values of another kind";
  if (!what.empty()) {
    fail(ErrorKind::data,
         "'{}' holds {} (dtype '{}'); polyad reads f4, f8, integers and booleans: convert it with astype(float)", path,
         what, excerpt(type));
  }
}

}  // namespace

NpyHeader parse_npy_header(const std::string& path, std::string_view text, bool texts) {
  NpyHeader header;
  bool type = false, order = false, shape = false;
  Literals in(path, text);
  in.expect('{');
  while (!in.take('}')) {
    const std::string_view key = in.text();
    in.expect(':');
    if (key == "descr") {
      if (in.peek() == '[') {
        fail(ErrorKind::data, "'{}' holds records with named fields; save one field as a plain array instead", path);
      }
      set_type(path, in.text(), texts, header);
      type = true;
    } else if (key == "fortran_order") {
      header.fortran_order = in.truth();
      order = true;
    } else if (key == "shape") {
      header.shape = in.tuple();
      shape = true;
    } else {
      in.broken();
    }
    if (!in.take(',') && in.peek() != '}') in.broken();
  }
  if (!in.at_end() || !type || !order || !shape) in.broken();
  return header;
}

}  // namespace polyad
