#include <polyad/base/error.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/text/unicode.hpp>
#include <polyad/io/tns/fields.hpp>
#include <polyad/io/tns/head.hpp>

namespace polyad {
namespace {

struct Line {
  std::uint64_t number = 0;
  std::string text;
  TnsFields fields{""};

  Line() = default;
  // Fields point into the text, so a line stays where it is made.
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
};

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<std::vector<std::uint64_t>> parse_extents(std::string_view text) {
  std::vector<std::uint64_t> extents;
  for (;;) {
    const std::size_t cut = std::min(text.find('x'), text.size());
    const auto extent = parse_whole(trim(text.substr(0, cut)));
    if (!extent) return std::nullopt;
    extents.push_back(*extent);
    if (cut == text.size()) return extents;
    text.remove_prefix(cut + 1);
  }
}

constexpr std::string_view quoted_word = "quoted ";

std::string unquoted(const TextSource& source, std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_string()) fail_at(source.path(), source.line(), "'{}' is not a text in quotes", excerpt(text));
  return json.get<std::string>();
}

// The name of a mode or the label of an index.
void read_name(const TextSource& source, std::string_view key, std::string name, TnsHead& head) {
  const bool label = key.starts_with("label ");
  if (!label && !key.starts_with("mode ")) return;
  const TnsFields place(key.substr(label ? 6 : 5));
  if (place.count != (label ? 2U : 1U)) return;
  const auto mode = parse_whole(place.fields[0]);
  const auto index = label ? parse_whole(place.fields[1]) : std::optional<std::uint64_t>(1);
  if (!mode || !index || *mode < 1 || *mode > max_modes || *index < 1) return;
  if (!is_utf8(name)) {
    fail_at(source.path(), source.line(), "the name '{}' is not UTF-8; save the file as UTF-8", excerpt(name));
  }
  if (label) {
    head.labels[{*mode, *index}] = std::move(name);
  } else {
    if (head.mode_names.size() < *mode) head.mode_names.resize(*mode);
    head.mode_names[*mode - 1] = std::move(name);
  }
}

// `key: value`, where the key is one of ours.
void read_comment(const TextSource& source, std::string_view comment, TnsHead& head) {
  const std::size_t colon = comment.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view key = trim(comment.substr(0, colon));
  const std::string_view value = trim(comment.substr(colon + 1));
  if (key == "base" && (value == "0" || value == "1")) {
    head.base = value == "0" ? 0 : 1;
  } else if (key == "unlisted" && (value == "zero" || value == "missing")) {
    head.unlisted = value == "zero" ? Unlisted::zero : Unlisted::missing;
  } else if (key == "shape") {
    if (auto extents = parse_extents(value)) {
      head.shape = std::move(extents);
      head.shape_from = fmt::format("line {}", source.line());
    }
  } else if (key == "entries") {
    if (const auto entries = parse_whole(value)) head.entries = entries;
  } else if (key.starts_with(quoted_word)) {
    read_name(source, key.substr(quoted_word.size()), unquoted(source, value), head);
  } else {
    read_name(source, key, std::string(value), head);
  }
}

bool next_meaningful(TextSource& source, Line& line, TnsHead& head) {
  std::string_view text;
  while (source.next_line(text)) {
    const std::string_view content = trim(text);
    if (content.empty()) continue;
    if (content.starts_with('#')) {
      read_comment(source, content.substr(1), head);
      continue;
    }
    line.number = source.line();
    line.text = text;
    line.fields = TnsFields(line.text);
    return true;
  }
  return false;
}

void take_shape(TextSource& source, const Line& line, TnsHead& head) {
  std::vector<std::uint64_t> extents;
  for (std::size_t k = 0; k < line.fields.count; ++k) {
    const auto extent = parse_whole(line.fields.fields[k]);
    if (!extent) {
      fail_at(source.path(), line.number, "field {}: '{}' is not an extent; a header gives the extent of each mode",
              k + 1, excerpt(line.fields.fields[k]));
    }
    extents.push_back(*extent);
  }
  if (head.shape && *head.shape != extents) {
    fail_at(source.path(), line.number, "this header does not agree with the shape on {}", head.shape_from);
  }
  head.modes = extents.size();
  head.shape = std::move(extents);
  head.shape_from = fmt::format("line {}", line.number);
}

// After the number of modes alone on a line: the extents, and perhaps the number of entries.
void read_counted_header(TextSource& source, const Line& first, TnsHead& head) {
  const auto modes = parse_whole(first.fields.fields[0]);
  if (!modes || *modes < 1 || *modes > max_modes) {
    fail_at(source.path(), first.number,
            "'{}' alone on the first line is neither an entry nor a number of modes from 1 to {}{}",
            excerpt(first.fields.fields[0]), max_modes,
            is_of_table(first.fields.fields[0]) ? "; if this is a table, use 'polyad import'" : "");
  }
  Line extents;
  if (!next_meaningful(source, extents, head)) {
    fail_at(source.path(), first.number, "the file ends after the number of modes; the extents should follow");
  }
  if (extents.fields.count != *modes) {
    fail_at(source.path(), extents.number, "{} fields, but line {} announces {} extents", extents.fields.count,
            first.number, *modes);
  }
  take_shape(source, extents, head);
  Line next;
  if (!next_meaningful(source, next, head)) return;
  if (next.fields.count == 1) {
    head.entries = parse_whole(next.fields.fields[0]);
    if (!head.entries) {
      fail_at(source.path(), next.number, "'{}' alone on a line is neither an entry nor a number of entries",
              excerpt(next.fields.fields[0]));
    }
  } else {
    head.lines.emplace_back(next.number, next.text);
  }
}

}  // namespace

TnsHead read_tns_head(TextSource& source, const TnsLines& lines) {
  const std::optional<std::size_t>& cell_modes = lines.cell_modes;
  TnsHead head;
  head.values = !lines.ones;
  Line first;
  if (!next_meaningful(source, first, head)) {
    head.modes = cell_modes.value_or(head.shape ? head.shape->size() : 0);
    return head;
  }
  const std::size_t fields = first.fields.count;
  if (fields == 1 && cell_modes != 1) {
    read_counted_header(source, first, head);
    return head;
  }
  Line second;
  const bool more = next_meaningful(source, second, head);
  if (more && !lines.ones && second.fields.count == fields + 1 && first.fields.all_whole_numbers() &&
      (!cell_modes || fields == *cell_modes)) {
    take_shape(source, first, head);
  } else {
    head.lines.emplace_back(first.number, first.text);
    head.modes = cell_modes.value_or(lines.ones ? fields : fields - 1);
    if (cell_modes) head.values = fields != *cell_modes;
  }
  if (head.modes > max_modes) {
    fail_at(source.path(), first.number, "{} fields: a tensor has at most {} modes", fields, max_modes);
  }
  if (more) head.lines.emplace_back(second.number, second.text);
  return head;
}

}  // namespace polyad
