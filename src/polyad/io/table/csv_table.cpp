#include <polyad/base/error.hpp>
#include <polyad/base/joined.hpp>
#include <polyad/base/suggest.hpp>
#include <polyad/io/file_errors.hpp>
#include <polyad/io/table/csv_table.hpp>

#include <csv.h>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace polyad {
namespace {

// libcsv calls back through C: errors wait here until it returns.
struct RowSink {
  const std::function<bool(std::vector<std::string>&)>& on_row;
  std::vector<std::string> fields;
  std::size_t used = 0;
  bool stopped = false;
  std::exception_ptr error;
};

void take_field(void* bytes, std::size_t size, void* data) {
  auto& sink = *static_cast<RowSink*>(data);
  if (sink.stopped) return;
  try {
    if (sink.used == sink.fields.size()) sink.fields.emplace_back();
    sink.fields[sink.used++].assign(static_cast<const char*>(bytes), size);
  } catch (...) {
    sink.error = std::current_exception();
    sink.stopped = true;
  }
}

void take_row(int, void* data) {
  auto& sink = *static_cast<RowSink*>(data);
  if (sink.stopped) return;
  try {
    sink.fields.resize(sink.used);
    sink.used = 0;
    if (!sink.on_row(sink.fields)) sink.stopped = true;
  } catch (...) {
    sink.error = std::current_exception();
    sink.stopped = true;
  }
}

class Parser {
 public:
  explicit Parser(char separator) {
    if (csv_init(&state_, CSV_APPEND_NULL) != 0) throw std::bad_alloc();
    csv_set_delim(&state_, static_cast<unsigned char>(separator));
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { csv_free(&state_); }
  csv_parser* get() { return &state_; }

 private:
  csv_parser state_{};
};

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

}  // namespace

CsvTable::CsvTable(std::string path, std::optional<char> separator) : path_(std::move(path)) {
  InputFile file(path_);
  if (!file.ordinary()) {
    fail(ErrorKind::file, "cannot read '{}': a table is read twice, which needs an ordinary file, not a stream", path_);
  }
  if (file.format() != FileFormat::text && file.format() != FileFormat::gzip && file.format() != FileFormat::zstd) {
    fail(ErrorKind::data, "'{}' is {}, not a table of separated values", path_, format_name(file));
  }
  separator_ = separator.value_or(likely_separator(first_content(file)));
  parse([&](std::vector<std::string>& fields) {
    header_ = fields;
    return false;
  });
  // Names stand in messages, which are one line.
  for (std::string& name : header_) {
    for (char& c : name) {
      if (static_cast<unsigned char>(c) < ' ') c = ' ';
    }
  }
  if (header_.empty()) fail(ErrorKind::data, "'{}' is empty: a table begins with a line of column names", path_);
}

std::size_t CsvTable::column(std::string_view name) const {
  const auto found = std::ranges::find(header_, name);
  if (found != header_.end()) return static_cast<std::size_t>(found - header_.begin());
  const std::vector<std::string_view> names(header_.begin(), header_.end());
  fail(ErrorKind::usage, "'{}' has no column '{}'{}; its columns: {}", path_, name, did_you_mean(name, names),
       joined(header_, ", "));
}

void CsvTable::parse(const std::function<bool(std::vector<std::string>&)>& on_row) const {
  InputFile file(path_);
  const auto decoder = make_decoder(file);
  Parser parser(separator_);
  RowSink sink{on_row, {}, 0, false, nullptr};
  std::vector<char> block(std::size_t{256} * 1024);
  const auto rethrow = [&] {
    if (sink.error) std::rethrow_exception(sink.error);
  };
  for (bool first = true; !sink.stopped; first = false) {
    const std::size_t got = decoder ? decoder->read(block.data(), block.size()) : file.read(block.data(), block.size());
    if (got == 0) break;
    std::string_view text(block.data(), got);
    if (first && text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    if (csv_parse(parser.get(), text.data(), text.size(), take_field, take_row, &sink) != text.size()) {
      throw std::bad_alloc();
    }
    rethrow();
  }
  if (!sink.stopped) csv_fini(parser.get(), take_field, take_row, &sink);
  rethrow();
}

void CsvTable::for_each_row(const std::function<void(std::span<const std::string>, std::uint64_t)>& visit) const {
  bool first = true;
  std::uint64_t row = 0;
  parse([&](std::vector<std::string>& fields) {
    if (std::exchange(first, false)) return true;
    ++row;
    if (fields.size() > header_.size()) {
      fail(
          ErrorKind::data,
          "'{}': row {} has {} fields, the header {}; is a text with '{}' in it not in quotes, or the separator wrong?",
          path_, row, fields.size(), header_.size(), separator_);
    }
    fields.resize(header_.size());
    visit(fields, row);
    return true;
  });
}

}  // namespace polyad
