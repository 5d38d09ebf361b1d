#include <polyad/base/error.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/build.hpp>
#include <polyad/io/input_file.hpp>
#include <polyad/io/mat/internal.hpp>
#include <polyad/io/mat/mat.hpp>
#include <polyad/io/temporary_files.hpp>
#include <polyad/io/text/unicode.hpp>
#include <polyad/tensor/tensor.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace polyad {
namespace {

// matio copies what it is given; every variable belongs to the struct it is put into.
matvar_t* made(matvar_t* variable) {
  if (variable == nullptr) throw std::bad_alloc();
  return variable;
}

matvar_t* number_array(const char* name, std::vector<std::size_t> dims, const double* values) {
  while (dims.size() < 2) dims.push_back(1);
  return made(Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, static_cast<int>(dims.size()), dims.data(),
                            const_cast<double*>(values), 0));
}

matvar_t* text_variable(const char* name, const std::string& text) {
  std::u16string wide = utf16_of(text);
  std::size_t dims[] = {wide.empty() ? std::size_t{0} : std::size_t{1}, wide.size()};
  return made(Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UINT16, 2, dims, wide.data(), 0));
}

matvar_t* cell_array(const char* name, std::vector<matvar_t*> cells) {
  std::size_t dims[] = {cells.size(), 1};
  // A cell array takes over its cells, but copies the list of them.
  return made(Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, dims, cells.data(), 0));
}

matvar_t* text_cells(const char* name, const std::vector<std::string>& texts) {
  std::vector<matvar_t*> cells;
  for (const std::string& text : texts) cells.push_back(text_variable(nullptr, text));
  return cell_array(name, std::move(cells));
}

using Fields = std::vector<std::pair<const char*, matvar_t*>>;

void add_label_fields(Fields& fields, const Labels& labels) {
  std::vector<std::string> names;
  std::vector<matvar_t*> lists;
  bool any_name = false, any_label = false;
  for (std::size_t k = 0; k < labels.modes(); ++k) {
    names.push_back(labels.mode(k).name);
    any_name = any_name || !names.back().empty();
    any_label = any_label || !labels.mode(k).entries.empty();
  }
  if (any_name) fields.emplace_back("mode_names", text_cells("mode_names", names));
  if (!any_label) return;
  for (std::size_t k = 0; k < labels.modes(); ++k) lists.push_back(text_cells(nullptr, labels.mode(k).entries));
  fields.emplace_back("labels", cell_array("labels", std::move(lists)));
}

MatVariable struct_of(const char* name, const Fields& fields) {
  std::vector<const char*> names;
  for (const auto& [field, variable] : fields) names.push_back(field);
  const std::size_t dims[] = {1, 1};
  MatVariable out(made(
      Mat_VarCreateStruct(name, 2, const_cast<std::size_t*>(dims), names.data(), static_cast<unsigned>(names.size()))));
  for (const auto& [field, variable] : fields) Mat_VarSetStructFieldByName(out.get(), field, 0, variable);
  return out;
}

// matio does not notice when a limit on the size of files (ulimit -f) cuts its file short.
bool reached_the_limit(std::uint64_t size) {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && size >= limit.rlim_cur;
}

// Through a scratch file, so that a full disk meets polyad's own writing and not the library's.
void write_variable(const std::string& path, matvar_t* variable, double bytes, bool version_73) {
  constexpr double most_of_version_5 = 0x1p31 - 0x1p20;
  const ScratchFile memory;
  {
    const bool large = version_73 || bytes > most_of_version_5;
    const MatHandle file(
        Mat_CreateVer(memory.path().c_str(),
                      large ? "MATLAB 7.3 MAT-file, written by polyad" : "MATLAB 5.0 MAT-file, written by polyad",
                      large ? MAT_FT_MAT73 : MAT_FT_MAT5));
    if (!file || Mat_VarWrite(file.get(), variable, MAT_COMPRESSION_NONE) != 0) {
      fail(ErrorKind::file, "cannot write '{}': matio failed; is there enough memory?", path);
    }
  }
  InputFile made_file(memory.path());
  if (reached_the_limit(made_file.size())) fail(ErrorKind::file, "cannot write '{}': {}", path, std::strerror(EFBIG));
  AtomicFile out(path);
  std::vector<char> block(std::size_t{1} << 20);
  for (std::uint64_t at = 0; at < made_file.size();) {
    const std::size_t part = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), made_file.size() - at));
    made_file.read_at(at, block.data(), part);
    out.write({block.data(), part});
    at += part;
  }
  out.commit();
}

// MATLAB's sizes are doubles.
std::vector<double> extents_row(const std::string& path, const IndexSpace& space) {
  for (std::size_t k = 0; k < space.modes(); ++k) {
    if (static_cast<double>(space.extent(k)) > 0x1p53) {
      fail(ErrorKind::usage, "cannot write '{}': mode {} has extent {}, and .mat holds up to 2^53 exactly; use .h5",
           path, k + 1, space.extent(k));
    }
  }
  return {space.extents().begin(), space.extents().end()};
}

}  // namespace

void write_mat_tensor(const std::string& path, const Tensor& tensor, bool version_73) {
  const std::vector<double> size = extents_row(path, tensor.space());
  Fields fields;
  double bytes = 0;
  if (const SparseTensor* sparse = tensor.sparse()) {
    const Records& records = sparse->records();
    const std::size_t n = records.size(), modes = records.modes();
    std::vector<double> subs(n * modes), vals(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < modes; ++k) subs[k * n + i] = static_cast<double>(records.index(i)[k]) + 1;
      vals[i] = records.value(i);
    }
    bytes = static_cast<double>(subs.size()) * 8;
    fields.emplace_back("subs", number_array("subs", {n, modes}, subs.data()));
    fields.emplace_back("vals", number_array("vals", {n, 1}, vals.data()));
    if (sparse->unlisted() == Unlisted::missing) {
      fields.emplace_back("unlisted", text_variable("unlisted", "missing"));
    }
  } else {
    const std::vector<std::uint64_t> extents(tensor.space().extents().begin(), tensor.space().extents().end());
    AlignedVector<double> values(tensor.dense()->cells());
    FortranWalk walk(extents);
    for (double& value : values) {
      value = tensor.dense()->value(walk.place());
      walk.next();
    }
    bytes = static_cast<double>(values.size()) * 8;
    fields.emplace_back("data", number_array("data", {extents.begin(), extents.end()}, values.data()));
  }
  fields.emplace_back("size", number_array("size", {1, size.size()}, size.data()));
  add_label_fields(fields, tensor.labels());
  write_variable(path, struct_of("X", fields).get(), bytes, version_73);
}

void write_mat_model(const std::string& path, const ModelFile& file, bool version_73) {
  const Factors& factors = file.model.factors;
  std::vector<matvar_t*> matrices;
  double bytes = 0;
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    const std::size_t rows = factors.rows(k), rank = factors.rank();
    std::vector<double> by_columns(rows * rank);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < rank; ++j) by_columns[j * rows + i] = factors.at(k, i, j);
    }
    bytes = std::max(bytes, static_cast<double>(by_columns.size()) * 8);
    matrices.push_back(number_array(nullptr, {rows, rank}, by_columns.data()));
  }
  Fields fields;
  fields.emplace_back("lambda", number_array("lambda", {factors.rank(), 1}, file.model.weights.data()));
  fields.emplace_back("u", cell_array("u", std::move(matrices)));
  add_label_fields(fields, file.labels);
  write_variable(path, struct_of("M", fields).get(), bytes, version_73);
}

}  // namespace polyad
