#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/build.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/numpy/numpy.hpp>
#include <polyad/io/numpy/zip_archive.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace polyad {
namespace {

// The arrays of an archive by name.
class Arrays {
 public:
  explicit Arrays(InputFile& file) : file_(file), zip_(file) {
    for (const ZipMember& member : zip_.members()) {
      std::string_view name = member.name;
      if (name.ends_with(".npy")) members_[std::string(name.substr(0, name.size() - 4))] = &member;
    }
  }

  const std::string& path() const { return file_.path(); }
  template <class... Names>
  bool have(const Names&... names) const {
    return (members_.contains(names) && ...);
  }
  NpyValues values(const std::string& name) const { return npy_values(what(name), bytes(name)); }
  std::vector<std::string> texts(const std::string& name) const { return npy_texts(what(name), bytes(name)); }
  /// Whole numbers from 0, such as indices and extents.
  std::vector<std::uint64_t> counts(const std::string& name) const { return npy_counts(what(name), bytes(name)); }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& [name, member] : members_) out.push_back(name);
    return out;
  }

 private:
  std::string what(const std::string& name) const { return fmt::format("{}, array {}", path(), excerpt(name)); }
  std::string bytes(const std::string& name) const {
    const auto found = members_.find(name);
    if (found == members_.end()) fail(ErrorKind::data, "'{}' has no array {}", path(), excerpt(name));
    return zip_.read(*found->second);
  }

  InputFile& file_;
  ZipReader zip_;
  std::map<std::string, const ZipMember*> members_;
};

Labels archive_labels(const Arrays& arrays, const IndexSpace& space) {
  Labels labels(space.modes());
  if (arrays.have(std::string("mode_names"))) {
    const std::vector<std::string> names = arrays.texts("mode_names");
    for (std::size_t k = 0; k < std::min(names.size(), space.modes()); ++k) labels.mode(k).name = names[k];
  }
  for (std::size_t k = 0; k < space.modes(); ++k) {
    const std::string name = fmt::format("labels_{}", k + 1);
    if (arrays.have(name)) labels.mode(k).entries = arrays.texts(name);
  }
  labels.check(space);
  return labels;
}

// One array of indices a mode, and the values, into records.
Records coo_records(const Arrays& arrays, const std::vector<std::vector<std::uint64_t>>& indices,
                    const AlignedVector<double>& values) {
  Records records(indices.size());
  records.reserve(values.size());
  std::array<Index, max_modes> index{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t k = 0; k < indices.size(); ++k) {
      if (indices[k].size() != values.size()) {
        fail(ErrorKind::data, "'{}': {} indices of mode {} for {} values", arrays.path(), indices[k].size(), k + 1,
             values.size());
      }
      if (indices[k][i] >= max_held_extent) {
        fail(ErrorKind::data, "'{}': entry {}: index {} of mode {} is too large: indices go up to {}", arrays.path(),
             i + 1, indices[k][i], k + 1, max_held_extent - 1);
      }
      index[k] = static_cast<Index>(indices[k][i]);
    }
    records.append(index.data(), values[i]);
  }
  return records;
}

// Splits a matrix of indices into one list a mode.
std::vector<std::vector<std::uint64_t>> split_indices(const Arrays& arrays, const std::string& name, std::size_t modes,
                                                      bool mode_first) {
  const std::vector<std::uint64_t> shape = arrays.values(name).shape;
  const std::vector<std::uint64_t> all = arrays.counts(name);
  if (shape.size() != 2 || shape[mode_first ? 0 : 1] != modes) {
    fail(ErrorKind::data, "'{}': array {} has the shape {}; for {} modes it should be {}", arrays.path(), name,
         joined(shape, " x "), modes, mode_first ? "modes x entries" : "entries x modes");
  }
  const std::size_t count = shape[mode_first ? 1 : 0];
  std::vector<std::vector<std::uint64_t>> out(modes, std::vector<std::uint64_t>(count));
  for (std::size_t k = 0; k < modes; ++k) {
    for (std::size_t i = 0; i < count; ++i) out[k][i] = all[mode_first ? k * count + i : i * modes + k];
  }
  return out;
}

// Row (or column) numbers from scipy's compressed pointers.
std::vector<std::uint64_t> expand_pointers(const Arrays& arrays, std::size_t entries) {
  const std::vector<std::uint64_t> pointers = arrays.counts("indptr");
  std::vector<std::uint64_t> out;
  out.reserve(entries);
  for (std::size_t row = 0; row + 1 < pointers.size(); ++row) {
    if (pointers[row + 1] < pointers[row] || pointers[row + 1] > entries) {
      fail(ErrorKind::data, "'{}': array indptr makes no sense at position {}", arrays.path(), row + 1);
    }
    out.insert(out.end(), pointers[row + 1] - pointers[row], row);
  }
  return out;
}

Records scipy_records(const Arrays& arrays, const AlignedVector<double>& values) {
  const std::vector<std::string> format = arrays.texts("format");
  const std::string kind = format.empty() ? "" : format[0];
  if (kind == "coo") return coo_records(arrays, {arrays.counts("row"), arrays.counts("col")}, values);
  if (kind != "csr" && kind != "csc") {
    fail(ErrorKind::data, "'{}' is a scipy matrix in {} form; save it as coo, csr or csc", arrays.path(),
         excerpt(kind));
  }
  const std::vector<std::uint64_t> outer = expand_pointers(arrays, values.size());
  const std::vector<std::uint64_t> inner = arrays.counts("indices");
  if (kind == "csr") return coo_records(arrays, {outer, inner}, values);
  return coo_records(arrays, {inner, outer}, values);
}

Tensor read_archive_sparse(const Arrays& arrays, const ReadOptions& options, Remarks* remarks) {
  IndexSpace space(arrays.counts("shape"));
  Unlisted unlisted = options.unlisted;
  Records records(space.modes());
  if (arrays.have(std::string("coords"))) {
    if (arrays.have(std::string("fill_value"))) {
      const AlignedVector<double> fill = arrays.values("fill_value").values;
      if (fill.size() == 1 && std::isnan(fill[0])) {
        unlisted = Unlisted::missing;
        remark(remarks, "unlisted cells are missing (fill_value is NaN)");
      } else if (fill.size() != 1 || fill[0] != 0) {
        fail(ErrorKind::data, "'{}': fill_value is {}; polyad needs 0 (or NaN: missing) for cells that are not listed",
             arrays.path(), fill.empty() ? 0.0 : fill[0]);
      }
    }
    records = coo_records(arrays, split_indices(arrays, "coords", space.modes(), true), arrays.values("data").values);
  } else if (arrays.have(std::string("subs"))) {
    records = coo_records(arrays, split_indices(arrays, "subs", space.modes(), false), arrays.values("vals").values);
  } else {
    records = scipy_records(arrays, arrays.values("data").values);
  }
  if (records.modes() != space.modes()) {
    fail(ErrorKind::data, "'{}': a scipy matrix has 2 modes, shape says {}", arrays.path(), space.modes());
  }
  if (options.base) remark(remarks, "`base` has no effect: indices in .npz count from 0");
  Labels labels = archive_labels(arrays, space);
  return {build_sparse(std::move(space), std::move(records), unlisted, options, remarks), std::move(labels)};
}

// The only array, or the one that was asked for.
std::string dense_name(const Arrays& arrays, const ReadOptions& options) {
  if (!options.variable.empty()) return options.variable;
  std::vector<std::string> names;
  for (const std::string& name : arrays.names()) {
    if (name != "mode_names" && !name.starts_with("labels_")) names.push_back(name);
  }
  if (names.size() == 1) return names[0];
  fail(ErrorKind::data,
       "'{}' holds {} arrays ({}): choose one with `variable`, or name them as docs/formats.md says for sparse data",
       arrays.path(), names.size(), excerpt(joined(names, ", ")));
}

bool holds_model(const Arrays& arrays) {
  return arrays.have(std::string("weights"), std::string("factor_1"));
}

constexpr std::string_view npz_extensions[] = {".npz"};

bool is_npz_model(InputFile& file) {
  return holds_model(Arrays(file));
}

Tensor read_npz_tensor(InputFile& file, const ReadOptions& options, Remarks* remarks) {
  return in_file(file.path(), [&]() -> Tensor {
    const Arrays arrays(file);
    const std::string shape = "shape", data = "data", subs = "subs", vals = "vals", coords = "coords";
    if (holds_model(arrays)) {
      fail(ErrorKind::data, "'{}' holds a model, not a tensor; look at it with 'polyad show {}'", file.path(),
           file.path());
    }
    const bool sparse = arrays.have(shape, coords, data) || arrays.have(shape, subs, vals) ||
                        arrays.have(shape, data, std::string("format"));
    if (sparse && options.variable.empty()) {
      Tensor tensor = read_archive_sparse(arrays, options, remarks);
      check_asked_shape(file.path(), tensor.space(), options);
      return tensor;
    }
    NpyValues array = arrays.values(dense_name(arrays, options));
    IndexSpace space(array.shape);
    check_asked_shape(file.path(), space, options);
    Labels labels = archive_labels(arrays, space);
    return {build_dense(std::move(space), std::move(array.values), options, remarks), std::move(labels)};
  });
}

ModelFile read_npz_model(InputFile& file) {
  return in_file(file.path(), [&] {
    const Arrays arrays(file);
    if (!holds_model(arrays)) {
      fail(ErrorKind::data, "'{}' holds no model: the arrays weights and factor_1, factor_2, ... are not there",
           file.path());
    }
    const NpyValues weights = arrays.values("weights");
    std::vector<std::uint64_t> extents;
    std::vector<std::vector<double>> matrices;
    for (std::size_t k = 1; k <= max_modes && arrays.have(fmt::format("factor_{}", k)); ++k) {
      const NpyValues matrix = arrays.values(fmt::format("factor_{}", k));
      if (matrix.shape.size() != 2 || matrix.shape[1] != weights.values.size()) {
        fail(ErrorKind::data, "'{}': factor_{} has the shape {}, there are {} weights", file.path(), k,
             joined(matrix.shape, " x "), weights.values.size());
      }
      extents.push_back(matrix.shape[0]);
      matrices.emplace_back(matrix.values.begin(), matrix.values.end());
    }
    ModelFile out;
    out.model = model_of(extents, {weights.values.begin(), weights.values.end()}, matrices);
    out.labels = archive_labels(arrays, IndexSpace(extents));
    return out;
  });
}

}  // namespace

extern constinit const FileFormat npz_format{
    .word = "npz",
    .name = ".npz",
    .what = "a zip archive",
    .help = "NumPy archives: dense, sparse (pydata/sparse, scipy.sparse), models",
    .extensions = npz_extensions,
    .dense = KeepsDense::yes,
    .sparse = true,
    .labels = true,
    .unlisted_missing = true,
    .missing = "NaN, or unlisted cells (`fill_value`)",
    .recognises =
        [](std::string_view start) { return start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06"); },
    .holds_model = is_npz_model,
    .read_tensor = read_npz_tensor,
    .read_model = read_npz_model,
    .write_tensor = [](const std::string& path, const Tensor& tensor,
                       const WriteOptions&) { write_npz_tensor(path, tensor); },
    .write_model = [](const std::string& path, const ModelFile& file,
                      const WriteOptions&) { write_npz_model(path, file); },
};

}  // namespace polyad
