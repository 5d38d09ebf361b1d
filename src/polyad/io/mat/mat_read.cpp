#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/build.hpp>
#include <polyad/io/input_file.hpp>
#include <polyad/io/mat/internal.hpp>
#include <polyad/io/mat/mat.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/text/unicode.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

namespace polyad {
namespace {

[[noreturn]] void bad_variable(const matvar_t* variable, std::string_view what) {
  fail(ErrorKind::data, "variable {}: {}", variable->name != nullptr ? excerpt(variable->name) : "without a name",
       what);
}

std::vector<std::uint64_t> extents_of(const matvar_t* variable) {
  return {variable->dims, variable->dims + variable->rank};
}

bool is_numeric(const matvar_t* variable) {
  return variable->class_type >= MAT_C_DOUBLE && variable->class_type <= MAT_C_UINT64;
}

template <class T>
AlignedVector<double> converted(const void* data, std::size_t count) {
  const T* const from = static_cast<const T*>(data);
  return {from, from + count};
}

// Values as matio hands them out, by the type it says they have.
AlignedVector<double> converted(const matvar_t* variable, matio_types type, const void* data, std::size_t count) {
  switch (type) {
    case MAT_T_DOUBLE:
      return converted<double>(data, count);
    case MAT_T_SINGLE:
      return converted<float>(data, count);
    case MAT_T_INT8:
      return converted<std::int8_t>(data, count);
    case MAT_T_UINT8:
      return converted<std::uint8_t>(data, count);
    case MAT_T_INT16:
      return converted<std::int16_t>(data, count);
    case MAT_T_UINT16:
      return converted<std::uint16_t>(data, count);
    case MAT_T_INT32:
      return converted<std::int32_t>(data, count);
    case MAT_T_UINT32:
      return converted<std::uint32_t>(data, count);
    case MAT_T_INT64:
      return converted<std::int64_t>(data, count);
    case MAT_T_UINT64:
      return converted<std::uint64_t>(data, count);
    default:
      bad_variable(variable, "holds values of an unknown type");
  }
}

void refuse_complex(const matvar_t* variable) {
  if (variable->isComplex != 0) bad_variable(variable, "holds complex numbers; save real(X) instead");
}

// Numbers in MATLAB's order (the first index runs fastest), whatever their type.
AlignedVector<double> numbers_of(const matvar_t* variable) {
  if (variable == nullptr) fail(ErrorKind::data, "a field that should hold numbers is empty");
  if (!is_numeric(variable)) bad_variable(variable, "does not hold numbers");
  refuse_complex(variable);
  std::size_t count = 1;
  for (const std::uint64_t extent : extents_of(variable)) {
    if (__builtin_mul_overflow(count, extent, &count)) bad_variable(variable, "is impossibly large");
  }
  if (count == 0) return {};
  const std::size_t value_bytes = Mat_SizeOf(variable->data_type);
  if (variable->data == nullptr || value_bytes == 0 || variable->nbytes / value_bytes < count) {
    bad_variable(variable, "has no data");
  }
  return converted(variable, variable->data_type, variable->data, count);
}

matvar_t* field_of(matvar_t* variable, const char* name) {
  if (variable->class_type != MAT_C_STRUCT || variable->data == nullptr) return nullptr;
  return Mat_VarGetStructFieldByName(variable, name, 0);
}

// Cells of a cell array; a single other variable stands for an array of one.
std::vector<matvar_t*> cells_of(matvar_t* variable) {
  if (variable->class_type != MAT_C_CELL) return {variable};
  std::size_t count = 1;
  for (const std::uint64_t extent : extents_of(variable)) count *= extent;
  std::vector<matvar_t*> cells;
  for (std::size_t i = 0; i < count && variable->data != nullptr; ++i) {
    cells.push_back(static_cast<matvar_t**>(variable->data)[i]);
  }
  return cells;
}

std::string text_of_variable(const matvar_t* variable) {
  if (variable == nullptr || variable->class_type == MAT_C_EMPTY || variable->data == nullptr) return {};
  if (variable->class_type != MAT_C_CHAR) return {};
  if (variable->data_size == 2) {
    std::u16string wide(variable->nbytes / 2, u'\0');
    std::memcpy(wide.data(), variable->data, wide.size() * 2);
    return utf8_of(wide);
  }
  const std::string_view bytes(static_cast<const char*>(variable->data), variable->nbytes);
  return std::string(bytes.substr(0, bytes.find('\0')));
}

Labels struct_labels(matvar_t* variable, const IndexSpace& space) {
  Labels labels(space.modes());
  if (matvar_t* names = field_of(variable, "mode_names")) {
    const auto cells = cells_of(names);
    for (std::size_t k = 0; k < std::min(cells.size(), space.modes()); ++k) {
      labels.mode(k).name = text_of_variable(cells[k]);
    }
  }
  if (matvar_t* lists = field_of(variable, "labels")) {
    const auto cells = cells_of(lists);
    for (std::size_t k = 0; k < std::min(cells.size(), space.modes()); ++k) {
      if (cells[k] == nullptr || cells[k]->class_type != MAT_C_CELL) continue;
      for (const matvar_t* text : cells_of(cells[k])) labels.mode(k).entries.push_back(text_of_variable(text));
    }
  }
  labels.check(space);
  return labels;
}

std::vector<std::uint64_t> size_field(matvar_t* variable) {
  std::vector<std::uint64_t> extents;
  for (const double v : numbers_of(variable)) {
    if (!(v >= 1 && v <= 0x1p63 && v == std::floor(v))) bad_variable(variable, fmt::format("{} is not an extent", v));
    extents.push_back(static_cast<std::uint64_t>(v));
  }
  return extents;
}

RawTensor dense_from(const AlignedVector<double>& values, const std::vector<std::uint64_t>& extents) {
  RawTensor raw{IndexSpace(extents)};
  if (raw.space.exact_cells() != values.size()) {
    fail(ErrorKind::data, "{} values for a tensor of {}", values.size(), raw.space.to_string());
  }
  AlignedVector<double> cells(values.size());
  FortranWalk walk(extents);
  for (const double value : values) {
    cells[walk.place()] = value;
    walk.next();
  }
  raw.values = std::move(cells);
  return raw;
}

Index index_from(double v, std::size_t entry) {
  if (!(v >= 1 && v <= static_cast<double>(max_held_extent) && v == std::floor(v))) {
    fail(ErrorKind::data, "entry {}: {} is not an index from 1 to {}", entry + 1, v, max_held_extent);
  }
  return static_cast<Index>(v - 1);
}

RawTensor sparse_from(matvar_t* subs_field, matvar_t* vals_field, matvar_t* size) {
  RawTensor raw{IndexSpace(size_field(size))};
  const std::size_t modes = raw.space.modes();
  const AlignedVector<double> subs = numbers_of(subs_field);
  const AlignedVector<double> vals = numbers_of(vals_field);
  if (subs.size() != vals.size() * modes) {
    fail(ErrorKind::data, "subs has {} indices for {} values of {} modes", subs.size(), vals.size(), modes);
  }
  raw.entries.emplace(modes);
  raw.entries->reserve(vals.size());
  std::array<Index, max_modes> index{};
  for (std::size_t i = 0; i < vals.size(); ++i) {
    for (std::size_t k = 0; k < modes; ++k) index[k] = index_from(subs[k * vals.size() + i], i);
    raw.entries->append(index.data(), vals[i]);
  }
  return raw;
}

RawTensor sparse_matrix(const matvar_t* variable) {
  refuse_complex(variable);
  const auto* sparse = static_cast<const mat_sparse_t*>(variable->data);
  if (sparse == nullptr) bad_variable(variable, "is a sparse matrix without values");
  RawTensor raw{IndexSpace(extents_of(variable))};
  raw.entries.emplace(2);
  const std::size_t columns = raw.space.extent(1);
  if (sparse->njc != columns + 1) bad_variable(variable, "is a damaged sparse matrix");
  const std::size_t entries = sparse->jc[columns];
  if (entries > sparse->ndata || entries > sparse->nir) bad_variable(variable, "is a damaged sparse matrix");
  if (entries == 0) return raw;
  // MATLAB stores sparse values in the smallest type that holds them, logical ones as bytes.
  const AlignedVector<double> values = converted(variable, variable->data_type, sparse->data, entries);
  for (std::size_t column = 0; column < columns; ++column) {
    if (sparse->jc[column] > sparse->jc[column + 1] || sparse->jc[column + 1] > entries) {
      bad_variable(variable, "is a damaged sparse matrix");
    }
    for (std::size_t i = sparse->jc[column]; i < sparse->jc[column + 1]; ++i) {
      const Index index[] = {static_cast<Index>(sparse->ir[i]), static_cast<Index>(column)};
      raw.entries->append(index, values[i]);
    }
  }
  return raw;
}

bool is_model_variable(matvar_t* variable) {
  return field_of(variable, "lambda") != nullptr &&
         (field_of(variable, "u") != nullptr || field_of(variable, "U") != nullptr);
}

bool is_tensor_variable(matvar_t* variable) {
  return is_numeric(variable) || variable->class_type == MAT_C_SPARSE || field_of(variable, "data") != nullptr ||
         (field_of(variable, "subs") != nullptr && field_of(variable, "vals") != nullptr &&
          field_of(variable, "size") != nullptr);
}

[[noreturn]] void refuse_object(const std::string& name) {
  fail(ErrorKind::data,
       "variable {} is an object of a MATLAB class, which only MATLAB can take apart; in MATLAB: S = struct({}); "
       "save('plain.mat', 'S')",
       name, name);
}

// Opens a file and finds the variable that `wanted` accepts: the named one, or the only one.
MatVariable find_variable(const std::string& path, const std::string& name, std::string_view what,
                          bool (*wanted)(matvar_t*)) {
  if (InputFile plain(path); plain.start().starts_with("MATLAB 5.0")) check_mat5(plain);
  const MatHandle file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (!file) fail(ErrorKind::data, "'{}' is a damaged .mat file: its header makes no sense", path);
  MatVariable found;
  std::vector<std::string> names;
  std::string object, text;
  std::size_t models = 0;
  for (;;) {
    const MatVariable info(Mat_VarReadNextInfo(file.get()));
    if (!info) break;
    const std::string here = info->name != nullptr ? info->name : "";
    if (!name.empty() && here != name) continue;
    if (info->class_type == MAT_C_OBJECT || info->class_type == MAT_C_OPAQUE) {
      object = excerpt(here);
      continue;
    }
    if (Mat_VarReadDataAll(file.get(), info.get()) != 0) bad_variable(info.get(), "cannot be read");
    models += is_model_variable(info.get()) ? 1 : 0;
    if (info->class_type == MAT_C_CHAR) text = excerpt(here);
    if (!wanted(info.get())) continue;
    names.push_back(excerpt(here));
    if (!found) found.reset(Mat_VarDuplicate(info.get(), 1));
  }
  if (names.size() == 1) return found;
  if (names.empty() && !object.empty()) refuse_object(object);
  if (names.empty() && models > 0) {
    fail(ErrorKind::data, "'{}' holds a model, not a tensor; look at it with 'polyad show {}'", path, path);
  }
  if (names.empty() && !text.empty()) {
    fail(ErrorKind::data, "'{}' holds no {}: variable {} is text (char), not numbers; save double({}) if it is data",
         path, what, text, text);
  }
  if (names.empty()) {
    fail(ErrorKind::data, "'{}' holds no {}{}; docs/formats.md says what polyad reads from .mat files", path, what,
         name.empty() ? "" : fmt::format(" named {}", excerpt(name)));
  }
  fail(ErrorKind::data, "'{}' holds several tensors or models ({}): choose one with `variable`", path,
       joined(names, ", "));
}

}  // namespace

RawTensor read_mat_raw(const std::string& path, const std::string& variable) {
  const MatVariable found = find_variable(path, variable, "tensor", is_tensor_variable);
  if (is_numeric(found.get())) return dense_from(numbers_of(found.get()), extents_of(found.get()));
  if (found->class_type == MAT_C_SPARSE) return sparse_matrix(found.get());
  RawTensor raw = [&] {
    if (matvar_t* data = field_of(found.get(), "data")) {
      matvar_t* const size = field_of(found.get(), "size");
      return dense_from(numbers_of(data), size != nullptr ? size_field(size) : extents_of(data));
    }
    return sparse_from(field_of(found.get(), "subs"), field_of(found.get(), "vals"), field_of(found.get(), "size"));
  }();
  if (const matvar_t* unlisted = field_of(found.get(), "unlisted"); text_of_variable(unlisted) == "missing") {
    raw.unlisted = Unlisted::missing;
  }
  raw.labels = struct_labels(found.get(), raw.space);
  return raw;
}

bool is_mat_model(const std::string& path) {
  try {
    find_variable(path, "", "model", is_model_variable);
  } catch (const Error&) {
    return false;
  }
  return true;
}

ModelFile read_mat_model(const std::string& path, Remarks&) {
  const MatVariable found = find_variable(path, "", "model", is_model_variable);
  const AlignedVector<double> lambda = numbers_of(field_of(found.get(), "lambda"));
  matvar_t* const lower = field_of(found.get(), "u");
  std::vector<std::uint64_t> extents;
  std::vector<std::vector<double>> matrices;
  for (matvar_t* cell : cells_of(lower != nullptr ? lower : field_of(found.get(), "U"))) {
    if (cell == nullptr || cell->rank != 2 || cell->dims[1] != lambda.size()) {
      fail(ErrorKind::data, "factor matrix {} does not have {} columns, one for each weight", extents.size() + 1,
           lambda.size());
    }
    const AlignedVector<double> by_columns = numbers_of(cell);
    const std::size_t rows = cell->dims[0];
    auto& matrix = matrices.emplace_back(by_columns.size());
    for (std::size_t j = 0; j < lambda.size(); ++j) {
      for (std::size_t i = 0; i < rows; ++i) matrix[i * lambda.size() + j] = by_columns[j * rows + i];
    }
    extents.push_back(rows);
  }
  ModelFile file;
  file.model = model_of(extents, {lambda.begin(), lambda.end()}, matrices);
  file.labels = struct_labels(found.get(), IndexSpace(extents));
  return file;
}

}  // namespace polyad
