#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/numpy/numpy.hpp>
#include <polyad/io/numpy/zip_archive.hpp>
#include <polyad/io/text/unicode.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace polyad {
namespace {

template <class T>
void add_array(ZipWriter& zip, const std::string& name, std::string_view type, std::span<const std::uint64_t> shape,
               std::span<const T> values) {
  zip.add(name + ".npy", npy_header(type, shape), {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

// Texts as numpy holds them: code points, all as long as the longest.
void add_texts(ZipWriter& zip, const std::string& name, const std::vector<std::string>& texts) {
  std::vector<std::u32string> wide;
  std::size_t longest = 1;
  for (std::string_view text : texts) {
    std::u32string& out = wide.emplace_back();
    while (!text.empty()) out += take_code(text);
    longest = std::max(longest, out.size());
  }
  std::vector<char32_t> cells;
  cells.reserve(longest * wide.size());
  for (std::u32string& text : wide) {
    text.resize(longest, U'\0');
    cells.insert(cells.end(), text.begin(), text.end());
  }
  const std::uint64_t shape[] = {texts.size()};
  add_array<char32_t>(zip, name, fmt::format("U{}", longest), shape, cells);
}

void add_labels(ZipWriter& zip, const Labels& labels) {
  std::vector<std::string> names;
  bool named = false;
  for (std::size_t k = 0; k < labels.modes(); ++k) {
    names.push_back(labels.mode(k).name);
    named = named || !names.back().empty();
    if (!labels.mode(k).entries.empty()) add_texts(zip, fmt::format("labels_{}", k + 1), labels.mode(k).entries);
  }
  if (named) add_texts(zip, "mode_names", names);
}

void add_sparse(ZipWriter& zip, const SparseTensor& sparse) {
  const Records& records = sparse.records();
  const std::size_t modes = records.modes();
  std::vector<std::int64_t> coords(modes * records.size());
  AlignedVector<double> values(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (std::size_t k = 0; k < modes; ++k) coords[k * records.size() + i] = records.index(i)[k];
    values[i] = records.value(i);
  }
  const std::uint64_t coords_shape[] = {modes, records.size()};
  const std::uint64_t values_shape[] = {records.size()};
  const std::uint64_t modes_shape[] = {modes};
  const std::vector<std::int64_t> extents(sparse.space().extents().begin(), sparse.space().extents().end());
  const double fill = sparse.unlisted() == Unlisted::missing ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  add_array<std::int64_t>(zip, "coords", "i8", coords_shape, coords);
  add_array<double>(zip, "data", "f8", values_shape, values);
  add_array<std::int64_t>(zip, "shape", "i8", modes_shape, extents);
  add_array<double>(zip, "fill_value", "f8", {}, {&fill, 1});
}

}  // namespace

void write_npz_tensor(const std::string& path, const Tensor& tensor) {
  AtomicFile file(path);
  ZipWriter zip(file);
  if (const SparseTensor* sparse = tensor.sparse()) {
    add_sparse(zip, *sparse);
  } else {
    add_array<double>(zip, "values", "f8", tensor.space().extents(), tensor.dense()->values());
  }
  add_labels(zip, tensor.labels());
  zip.finish();
  file.commit();
}

void write_npz_model(const std::string& path, const ModelFile& model) {
  AtomicFile file(path);
  ZipWriter zip(file);
  const Factors& factors = model.model.factors;
  const std::uint64_t rank_shape[] = {factors.rank()};
  add_array<double>(zip, "weights", "f8", rank_shape, model.model.weights);
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    const std::uint64_t shape[] = {factors.rows(k), factors.rank()};
    add_array<double>(zip, fmt::format("factor_{}", k + 1), "f8", shape, unpadded(factors, k));
  }
  add_labels(zip, model.labels);
  zip.finish();
  file.commit();
}

std::string npy_header(std::string_view type, std::span<const std::uint64_t> shape) {
  std::string text = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                 std::endian::native == std::endian::little ? '<' : '>', type, joined(shape, ", "),
                                 shape.size() == 1 ? "," : "");
  // The data begin at a multiple of 64 bytes, so that they can be mapped.
  constexpr std::size_t fixed = 10;
  text.append(63 - (fixed + text.size()) % 64, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() % 256);
  header += static_cast<char>(text.size() / 256);
  return header + text;
}

void write_npy(const std::string& path, const Tensor& tensor) {
  const DenseTensor& dense = *tensor.dense();
  AtomicFile file(path);
  file.write(npy_header("f8", dense.space().extents()));
  const auto values = dense.values();
  file.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  file.commit();
}

}  // namespace polyad
