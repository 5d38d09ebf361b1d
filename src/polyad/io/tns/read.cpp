#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/build.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/text/text_source.hpp>
#include <polyad/io/tns/tns.hpp>
#include <polyad/tensor/tensor.hpp>

#include <iterator>

namespace polyad {
namespace {

std::string reason_for_fields(const TnsHead& head) {
  const std::string hint =
      head.values ? fmt::format("; if lines have no value, say {}", option_name("values", "ones")) : "";
  if (head.shape) return fmt::format("the shape is on {}{}", head.shape_from, hint);
  return fmt::format("as on line {}", head.lines.empty() ? 1 : head.lines.front().first);
}

void parse_entries(TextSource& source, const TnsHead& head, TnsEntries& entries) {
  for (const auto& [number, text] : head.lines) entries.parse(text + "\n", number);
  parse_blocks(source, source.line() + 1, 0, entries);
}

std::optional<KnownShape> known_shape(const std::string& path, const TnsHead& head, const ReadOptions& options,
                                      Remarks* remarks) {
  std::optional<KnownShape> known;
  if (head.shape) known = KnownShape{*head.shape, head.shape_from};
  if (options.shape) {
    if (known && known->extents != *options.shape) {
      remark(remarks, "shape {} (`shape`, although the file says {})", IndexSpace(*options.shape).to_string(),
             joined(known->extents, " x "));
    }
    known = KnownShape{*options.shape, option_name("shape")};
  }
  if (known) (void)IndexSpace(known->extents);  // its rules, before any index is held against it
  if (known && known->extents.size() != head.modes) {
    const bool one_more = head.values && known->extents.size() == head.modes + 1;
    fail(ErrorKind::data, "'{}': the shape from {} has {} modes, but the entries have {}{}", path, known->from,
         known->extents.size(), head.modes,
         one_more ? fmt::format("; if lines have no value, say {}", option_name("values", "ones")) : "");
  }
  return known;
}

// Where the number of entries is announced, the file is complete or refused. Where it is not, a cut at the end of a line cannot
// be seen, but one within the last line is likely to be.
void check_complete(const TextSource& source, const TnsHead& head, std::size_t found, Remarks* remarks) {
  const std::string& path = source.path();
  if (head.entries && *head.entries != found) {
    fail(ErrorKind::data, "'{}': the header announces {} entries, the file has {}; is it cut short?", path,
         *head.entries, found);
  }
  if (head.entries || found == 0) source.require_last_line_end();
  if (!source.last_line_ended()) remark(remarks, "the last line has no end: is the file complete?");
}

// Labels of a mode count only where every index has one.
Labels labels_of(const TnsHead& head, const IndexSpace& space) {
  Labels labels(head.modes);
  for (std::size_t k = 0; k < std::min(head.modes, head.mode_names.size()); ++k)
    labels.mode(k).name = head.mode_names[k];
  for (std::size_t k = 0; k < head.modes; ++k) {
    const auto begin = head.labels.lower_bound({k + 1, 0});
    const auto end = head.labels.lower_bound({k + 2, 0});
    if (static_cast<std::uint64_t>(std::distance(begin, end)) != space.extent(k)) continue;
    if (std::prev(end)->first.second != space.extent(k)) continue;
    for (auto label = begin; label != end; ++label) labels.mode(k).entries.push_back(label->second);
  }
  return labels;
}

constexpr std::string_view tns_extensions[] = {".tns"};

Tensor read_tns(InputFile& file, const ReadOptions& options, Remarks* remarks) {
  const std::string& path = file.path();
  TextSource source(file);
  const bool ones = options.values == ValueColumn::ones;
  TnsHead head = read_tns_head(source, {.cell_modes = std::nullopt, .ones = ones});
  if (options.shape && head.lines.empty() && !head.shape) head.modes = options.shape->size();
  if (head.modes == 0) {
    fail(ErrorKind::data, "'{}' holds no entries; for a tensor without nonzeros give its extents with `shape`", path);
  }
  const auto known = in_file(path, [&] { return known_shape(path, head, options, remarks); });
  TnsEntries entries(path, head.modes, !ones, reason_for_fields(head), options.drop_bad_values);
  parse_entries(source, head, entries);
  check_complete(source, head, entries.records().size(), remarks);
  if (entries.records().size() == 0 && !known) {
    fail(ErrorKind::data, "'{}' holds no entries; for a tensor without nonzeros give its extents with `shape`", path);
  }
  // A shape that the file states for as many modes says that there is a value.
  if (!options.values && !known) check_value_column(path, entries.records(), remarks);
  if (options.values) {
    remark(remarks, "{}", ones ? "lines are cells of value 1" : "the last field of a line is its value");
  }
  const int base = decide_base(path, options.base, head, entries, remarks);
  return in_file(path, [&] {
    IndexSpace space(decide_extents(path, known, base, entries, head.modes));
    subtract_base(entries.records(), base);
    remark(remarks, "shape {} ({})", space.to_string(), known ? "from " + known->from : "the largest indices");
    const bool missing = options.unlisted == Unlisted::missing || head.unlisted == Unlisted::missing;
    if (missing)
      remark(remarks, "unlisted cells are missing{}",
             options.unlisted == Unlisted::missing ? "" : " (the file says so)");
    Labels labels = labels_of(head, space);
    return Tensor(build_sparse(std::move(space), std::move(entries.records()),
                               missing ? Unlisted::missing : Unlisted::zero, options, remarks),
                  std::move(labels));
  });
}

}  // namespace

extern constinit const FileFormat tns_format{
    .word = "tns",
    .name = ".tns",
    .what = "a text file",
    .help = "FROSTT text: on each line the indices of an entry and its value",
    .extensions = tns_extensions,
    .text = true,
    .dense = KeepsDense::as_list,
    .sparse = true,
    .labels = true,
    .unlisted_missing = true,
    .missing = "unlisted cells",
    .recognises = [](std::string_view) { return true; },
    .read_tensor = read_tns,
    .write_tensor = [](const std::string& path, const Tensor& tensor, const WriteOptions&) { write_tns(path, tensor); },
};

Records read_cells(const std::string& path, const IndexSpace& space, const ReadOptions& options, Remarks* remarks) {
  InputFile file(path, options.unpacked_limit);
  if (!is_text(file)) {
    fail(ErrorKind::data,
         "'{}' is {}; a list of cells is text: on each line the indices of a cell, and perhaps a value", path,
         format_name(file));
  }
  TextSource source(file);
  const TnsHead head = read_tns_head(source, {.cell_modes = space.modes()});
  const KnownShape shape{{space.extents().begin(), space.extents().end()}, "the tensor"};
  if (head.shape && *head.shape != shape.extents) {
    fail(ErrorKind::data, "'{}': the shape on {} is {}, but the tensor's is {}", path, head.shape_from,
         joined(*head.shape, " x "), space.to_string());
  }
  TnsEntries entries(path, space.modes(), head.values, fmt::format("the tensor has {} modes", space.modes()));
  parse_entries(source, head, entries);
  check_complete(source, head, entries.records().size(), remarks);
  const int used = decide_base(path, options.base, head, entries, remarks);
  decide_extents(path, shape, used, entries, space.modes());
  subtract_base(entries.records(), used);
  return std::move(entries.records());
}

int decide_base(const std::string& path, std::optional<int> given, const TnsHead& head, TnsEntries& entries,
                Remarks* remarks) {
  if (given && *given != 0 && *given != 1) fail(ErrorKind::usage, "`base` must be 0 or 1 (is {})", *given);
  const bool any = entries.records().size() > 0;
  const TnsEntries::Place smallest = entries.smallest();
  const std::optional<int> stated = given ? given : head.base;
  if (!stated) {
    if (!any) return 1;
    const int base = smallest.index == 0 ? 0 : 1;
    if (base == 0) {
      remark(remarks, "0-based indices (index 0 on line {})", smallest.line);
    } else {
      remark(remarks, "1-based indices (no index is 0)");
    }
    return base;
  }
  if (any && smallest.index < static_cast<std::uint64_t>(*stated)) {
    fail_at(path, smallest.line, "field {}: index 0 with {}: indices start at 1 there; {}", smallest.mode + 1,
            given ? option_name("base", "1") : "'# base: 1' in the file",
            given ? fmt::format("use {}, or leave {} out", option_name("base", "0"), option_name("base"))
                  : fmt::format("use {}", option_name("base", "0")));
  }
  if (given && head.base && *given != *head.base) {
    remark(remarks, "{}-based indices (`base`, although the file says {})", *given, *head.base);
  } else {
    remark(remarks, "{}-based indices ({})", *stated, given ? option_name("base") : "the file says so");
  }
  return *stated;
}

std::vector<std::uint64_t> decide_extents(const std::string& path, const std::optional<KnownShape>& known, int base,
                                          const TnsEntries& entries, std::size_t modes) {
  std::vector<std::uint64_t> extents(modes);
  for (std::size_t k = 0; k < modes; ++k) {
    const TnsEntries::Place largest = entries.largest(k);
    const std::uint64_t needed = largest.index - static_cast<std::uint64_t>(base) + 1;
    if (!known) {
      if (needed > max_held_extent) {
        fail_at(path, largest.line, "field {}: index {} is too large: 0-based indices go up to {}", k + 1,
                largest.index, max_held_extent - 1);
      }
      extents[k] = needed;
      continue;
    }
    extents[k] = known->extents[k];
    if (largest.line != 0 && needed > extents[k]) {
      fail_at(path, largest.line, "field {}: index {} is beyond the extent {} of mode {} (from {}, {}-based indices)",
              k + 1, largest.index, extents[k], k + 1, known->from, base);
    }
  }
  return extents;
}

void subtract_base(Records& records, int base) {
  if (base == 0) return;
  for (std::size_t i = 0; i < records.size(); ++i) {
    Index* const index = records.index_to_change(i);
    for (std::size_t k = 0; k < records.modes(); ++k) --index[k];
  }
}

}  // namespace polyad
