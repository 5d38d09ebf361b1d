// Tensor Toolbox text (export_data and import_data of the MATLAB toolbox, also pyttb's). The first line is the type:
//   tensor     number of modes; extents; one value per line, the first index running fastest
//   sptensor   number of modes; extents; number of entries; entries as in .tns, counted from 1
//   matrix     2; extents; one value per line down the columns (MATLAB), or one row per line (pyttb)
//   ktensor    number of modes; extents; rank; weights; then for each mode a matrix with one row per line
/// A dense tensor (missing cells as NaN) or a sparse one whose unlisted cells are zeros.

#include <polyad/base/error.hpp>
#include <polyad/base/memory.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/build.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/text/decoder.hpp>
#include <polyad/io/text/text_sink.hpp>
#include <polyad/io/text/text_source.hpp>
#include <polyad/io/tns/entries.hpp>
#include <polyad/io/tns/fields.hpp>
#include <polyad/io/tns/tns.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>

namespace polyad {
namespace {

constexpr std::string_view toolbox_blanks = " \t\r\n\v\f";

// Numbers between blanks, wherever lines end, with the line each came from.
class NumberStream {
 public:
  explicit NumberStream(TextSource& source) : source_(source) {}

  /// The next word; a data error where there is none.
  std::string_view word(std::string_view what) {
    while (true) {
      const std::size_t begin = std::min(rest_.find_first_not_of(toolbox_blanks), rest_.size());
      rest_.remove_prefix(begin);
      if (!rest_.empty()) break;
      if (!source_.next_line(rest_)) {
        fail(ErrorKind::data, "'{}' ends where {} should follow; is it cut short?", source_.path(), what);
      }
    }
    const std::size_t size = std::min(rest_.find_first_of(toolbox_blanks), rest_.size());
    const std::string_view out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return out;
  }
  std::uint64_t whole(std::string_view what) {
    const std::string_view text = word(what);
    const auto number = parse_whole(text);
    if (!number) broken(text, what);
    return *number;
  }
  double number(std::string_view what) {
    const std::string_view text = word(what);
    const auto value = parse_number(text);
    if (!value) broken(text, what);
    return *value;
  }
  /// Whether the words after the last one taken begin on a line of their own.
  bool at_line_end() const { return rest_.find_first_not_of(toolbox_blanks) == std::string_view::npos; }
  /// Only blanks may follow.
  void expect_end() {
    do {
      if (!at_line_end()) broken(rest_, "the end of the file");
    } while (source_.next_line(rest_));
    source_.require_last_line_end();
  }
  [[noreturn]] void broken(std::string_view text, std::string_view what) const {
    fail_at(source_.path(), source_.line(), "'{}' stands where {} should be", excerpt(text), what);
  }

 private:
  TextSource& source_;
  std::string_view rest_;
};

std::vector<std::uint64_t> read_extents(NumberStream& numbers) {
  const std::uint64_t modes = numbers.whole("the number of modes");
  if (modes < 1 || modes > max_modes) {
    numbers.broken(fmt::format("{}", modes), fmt::format("a number of modes from 1 to {}", max_modes));
  }
  std::vector<std::uint64_t> extents(modes);
  for (std::uint64_t& extent : extents) extent = numbers.whole("an extent");
  return extents;
}

// Values are read before memory for all of them is taken: a header may claim anything.
AlignedVector<double> read_all(NumberStream& numbers, std::uint64_t count) {
  require_memory(static_cast<double>(count) * sizeof(double), "the values of this dense tensor");
  AlignedVector<double> values;
  values.reserve(std::min<std::uint64_t>(count, std::uint64_t{1} << 16));
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(numbers.number("a value"));
  return values;
}

AlignedVector<double> to_c_order(const AlignedVector<double>& values, const std::vector<std::uint64_t>& extents) {
  AlignedVector<double> out(values.size());
  FortranWalk walk(extents);
  for (const double value : values) {
    out[walk.place()] = value;
    walk.next();
  }
  return out;
}

std::uint64_t toolbox_cells(const IndexSpace& space) {
  if (!space.exact_cells()) fail(ErrorKind::data, "a dense tensor of {} cannot be held", space.to_string());
  return *space.exact_cells();
}

DenseTensor read_toolbox_dense(NumberStream& numbers, const ReadOptions& options, Remarks* remarks) {
  const std::vector<std::uint64_t> extents = read_extents(numbers);
  IndexSpace space(extents);
  const AlignedVector<double> values = read_all(numbers, toolbox_cells(space));
  numbers.expect_end();
  return build_dense(std::move(space), to_c_order(values, extents), options, remarks);
}

DenseTensor read_toolbox_matrix(NumberStream& numbers, const ReadOptions& options, Remarks* remarks) {
  const std::vector<std::uint64_t> extents = read_extents(numbers);
  if (extents.size() != 2) numbers.broken(fmt::format("{}", extents.size()), "2, the number of a matrix's modes");
  IndexSpace space(extents);
  const std::uint64_t cells = toolbox_cells(space);
  AlignedVector<double> values{numbers.number("a value")};
  // A first line with more than one value is a row.
  const bool rows = extents[1] > 1 && !numbers.at_line_end();
  const AlignedVector<double> rest = read_all(numbers, cells - 1);
  values.insert(values.end(), rest.begin(), rest.end());
  numbers.expect_end();
  return build_dense(std::move(space), rows ? values : to_c_order(values, extents), options, remarks);
}

Tensor read_toolbox_sparse(TextSource& source, const ReadOptions& options, Remarks* remarks) {
  NumberStream numbers(source);
  IndexSpace space(read_extents(numbers));
  const std::uint64_t announced = numbers.whole("the number of entries");
  TnsEntries entries(source.path(), space.modes(), true, "the sizes are on the lines above", options.drop_bad_values);
  parse_blocks(source, source.line() + 1, 0, entries);
  if (entries.records().size() != announced) {
    fail(ErrorKind::data, "'{}': the header announces {} entries, the file has {}; is it cut short?", source.path(),
         announced, entries.records().size());
  }
  source.require_last_line_end();
  const int base = decide_base(source.path(), options.base, {}, entries, remarks);
  const KnownShape known{{space.extents().begin(), space.extents().end()}, "the file"};
  decide_extents(source.path(), known, base, entries, space.modes());
  subtract_base(entries.records(), base);
  return build_sparse(std::move(space), std::move(entries.records()), options.unlisted, options, remarks);
}

constexpr std::string_view toolbox_extensions[] = {".tensor", ".sptensor", ".ktensor", ".txt"};

// "tensor", "sptensor", "matrix" or "ktensor" where such a text begins so; empty otherwise.
std::string_view toolbox_type(std::string_view beginning) {
  if (beginning.starts_with("\xef\xbb\xbf")) beginning.remove_prefix(3);
  beginning.remove_prefix(std::min(beginning.find_first_not_of(toolbox_blanks), beginning.size()));
  const std::string_view word = beginning.substr(0, beginning.find_first_of(toolbox_blanks));
  for (const std::string_view type : {"tensor", "sptensor", "matrix", "ktensor"}) {
    if (word == type) return type;
  }
  return {};
}

Tensor read_toolbox_tensor(InputFile& file, const ReadOptions& options, Remarks* remarks) {
  return in_file(file.path(), [&]() -> Tensor {
    TextSource source(file);
    NumberStream numbers(source);
    const std::string type(numbers.word("the type"));
    if (type == "ktensor") {
      fail(ErrorKind::data, "'{}' holds a model (ktensor), not a tensor; look at it with 'polyad show {}'", file.path(),
           file.path());
    }
    Tensor tensor = type == "sptensor" ? read_toolbox_sparse(source, options, remarks)
                    : type == "matrix" ? Tensor(read_toolbox_matrix(numbers, options, remarks))
                                       : Tensor(read_toolbox_dense(numbers, options, remarks));
    check_asked_shape(file.path(), tensor.space(), options);
    return tensor;
  });
}

ModelFile read_toolbox_model(InputFile& file) {
  return in_file(file.path(), [&] {
    TextSource source(file);
    NumberStream numbers(source);
    if (const std::string type(numbers.word("the type")); type != "ktensor") {
      fail(ErrorKind::data, "'{}' holds a tensor, not a model; 'polyad fit' makes models from tensors", file.path());
    }
    const std::vector<std::uint64_t> extents = read_extents(numbers);
    (void)IndexSpace(extents);
    const std::uint64_t rank = numbers.whole("the rank");
    double needed = 0;
    for (const std::uint64_t extent : extents) needed += static_cast<double>(extent) * static_cast<double>(rank) * 8;
    if (rank < 1) numbers.broken("0", "a rank of at least 1");
    require_memory(needed, "this model");
    std::vector<double> weights;
    for (std::uint64_t j = 0; j < rank; ++j) weights.push_back(numbers.number("a weight"));
    std::vector<std::vector<double>> matrices;
    for (const std::uint64_t extent : extents) {
      if (const std::string_view word = numbers.word("'matrix'"); word != "matrix") numbers.broken(word, "'matrix'");
      const std::vector<std::uint64_t> shape = read_extents(numbers);
      if (shape.size() != 2 || shape[0] != extent || shape[1] != rank) {
        fail_at(source.path(), source.line(), "a factor matrix of {} where {} x {} is expected", joined(shape, " x "),
                extent, rank);
      }
      auto& matrix = matrices.emplace_back();
      for (std::uint64_t i = 0; i < extent * rank; ++i) matrix.push_back(numbers.number("a factor's value"));
    }
    numbers.expect_end();
    ModelFile out;
    out.model = model_of(extents, std::move(weights), matrices);
    out.labels = Labels(extents.size());
    return out;
  });
}

bool is_toolbox_model(InputFile& file) {
  return toolbox_type(first_content(file)) == "ktensor";
}

// Writing.

void put_number(TextSink& sink, double value, char after) {
  auto out = std::back_inserter(sink.buffer());
  if (std::isnan(value)) {
    fmt::format_to(out, FMT_COMPILE("NaN{}"), after);
  } else {
    fmt::format_to(out, FMT_COMPILE("{}{}"), value, after);
  }
  sink.flush_if_full();
}

template <class Extents>
void put_extents(TextSink& sink, const Extents& extents) {
  fmt::format_to(std::back_inserter(sink.buffer()), "{}\n{}\n", extents.size(), joined(extents, " "));
}

void put_type(TextSink& sink, std::string_view type) {
  fmt::format_to(std::back_inserter(sink.buffer()), "{}\n", type);
}

void write_toolbox_dense(TextSink& sink, const DenseTensor& dense) {
  put_type(sink, "tensor");
  put_extents(sink, dense.space().extents());
  FortranWalk walk({dense.space().extents().begin(), dense.space().extents().end()});
  for (std::uint64_t i = 0; i < dense.cells(); ++i, walk.next()) put_number(sink, dense.value(walk.place()), '\n');
}

void write_toolbox_sparse(TextSink& sink, const SparseTensor& sparse) {
  put_type(sink, "sptensor");
  put_extents(sink, sparse.space().extents());
  fmt::format_to(std::back_inserter(sink.buffer()), "{}\n", sparse.listed());
  for (std::size_t i = 0; i < sparse.listed(); ++i) {
    for (const Index k : sparse.records().cell(i)) {
      fmt::format_to(std::back_inserter(sink.buffer()), FMT_COMPILE("{} "), std::uint64_t{k} + 1);
    }
    put_number(sink, sparse.records().value(i), '\n');
  }
}

// A dense tensor (missing cells as NaN) or a sparse one whose unlisted cells are zeros.
void write_toolbox_tensor(const std::string& path, const Tensor& tensor, const WriteOptions&) {
  TextSink sink(path);
  if (const SparseTensor* sparse = tensor.sparse()) {
    write_toolbox_sparse(sink, *sparse);
  } else {
    write_toolbox_dense(sink, *tensor.dense());
  }
  sink.commit();
}

void write_toolbox_model(const std::string& path, const ModelFile& file, const WriteOptions&) {
  const Factors& factors = file.model.factors;
  TextSink sink(path);
  put_type(sink, "ktensor");
  put_extents(sink, factors.extents());
  fmt::format_to(std::back_inserter(sink.buffer()), "{}\n", factors.rank());
  for (const double weight : file.model.weights) put_number(sink, weight, ' ');
  put_type(sink, "");
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    put_type(sink, "matrix");
    put_extents(sink, std::vector<std::uint64_t>{factors.rows(k), factors.rank()});
    for (std::size_t i = 0; i < factors.rows(k); ++i) {
      for (std::size_t j = 0; j < factors.rank(); ++j) put_number(sink, factors.at(k, i, j), ' ');
      put_type(sink, "");
    }
  }
  sink.commit();
}

}  // namespace

extern constinit const FileFormat toolbox_format{
    .word = "toolbox",
    .name = "Tensor Toolbox text",
    .what = "Tensor Toolbox text",
    .help = "text as the Tensor Toolbox for MATLAB and pyttb export it",
    .extensions = toolbox_extensions,
    .text = true,
    .dense = KeepsDense::yes,
    .sparse = true,
    .missing = "NaN",
    .recognises = [](std::string_view start) { return !toolbox_type(start).empty(); },
    .holds_model = is_toolbox_model,
    .read_tensor = read_toolbox_tensor,
    .read_model = read_toolbox_model,
    .write_tensor = write_toolbox_tensor,
    .write_model = write_toolbox_model,
};

}  // namespace polyad
