#include <polyad/base/error.hpp>
#include <polyad/cells.hpp>
#include <polyad/io/hdf5/library.hpp>
#include <polyad/io/hdf5/reader.hpp>
#include <polyad/io/hdf5/writer.hpp>
#include <polyad/io/input_file.hpp>

#include <algorithm>
#include <memory>

namespace polyad {
namespace {

// A compressed chunk holds at most about this many times its own size (deflate's limit).
constexpr double most_compression = 1032;

// Texts as HDF5 hands them out; it made them, so it frees them.
struct ReclaimTexts {
  hid_t type;
  hid_t space;
  std::vector<char*>& texts;
  ~ReclaimTexts() { H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data()); }
};

// A text of fixed length, as its type says how it is filled up. Zeros within a text that is filled up by zeros are its own: cut
// there, different texts could become equal.
std::string trimmed(const char* text, std::size_t size, hid_t type) {
  std::string out(text, size);
  switch (H5Tget_strpad(type)) {
    case H5T_STR_NULLTERM:
      out.erase(std::min(out.find('\0'), out.size()));
      break;
    case H5T_STR_SPACEPAD:
      out.erase(out.find_last_not_of(' ') + 1);
      break;
    default:
      out.erase(out.find_last_not_of('\0') + 1);
  }
  return out;
}

}  // namespace

Hdf5Reader::Hdf5Reader(const std::string& path, const std::string& kind) : path_(path) {
  {
    const InputFile file(path);
    if (!file.ordinary()) fail(ErrorKind::file, "cannot read '{}': HDF5 needs an ordinary file, not a stream", path);
    file_bytes_ = file.size();
  }
  const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access.get(), false, true);  // a folder may be read-only
  file_ = Hdf5Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (!file_.valid()) fail(ErrorKind::data, "'{}' is a damaged HDF5 file: {}", path, hdf5_reason());
  refuse_other_files(file_.get(), path);
  if (!kind.empty()) check_kind(kind);
}

bool is_hdf5_model(const std::string& path) {
  const Hdf5Reader file(path, "");
  return file.has_attribute("/", "kind") && file.text_attribute("/", "kind") == "model";
}

void Hdf5Reader::check_kind(const std::string& kind) const {
  if (!has_attribute("/", "format") || text_attribute("/", "format") != "polyad") {
    fail(ErrorKind::data, "'{}' is an HDF5 file of another program, not a polyad {}; docs/formats.md gives the layout",
         path_, kind);
  }
  const auto version = list_attribute("/", "version");
  if (version.size() != 1 || version[0] != 1) {
    fail(ErrorKind::data, "'{}' has version {} of polyad's format; this polyad reads version 1: use a newer one", path_,
         version.empty() ? 0 : version[0]);
  }
  const std::string found = text_attribute("/", "kind");
  if (found == kind) return;
  if (kind == "checkpoint" && (found == "model" || found == "tensor")) {
    fail(ErrorKind::data, "'{}' holds a {}, not a checkpoint; a fit with `checkpoint` writes one", path_, found);
  }
  if (found == "model") {
    fail(ErrorKind::data, "'{}' holds a model, not a tensor; look at it with 'polyad show {}'", path_, path_);
  }
  if (found == "tensor") {
    fail(ErrorKind::data, "'{}' holds a tensor, not a model; 'polyad fit' makes models from tensors", path_);
  }
  if (found == "checkpoint") {
    fail(ErrorKind::data, "'{}' holds a checkpoint of a fit; go on from it with the option `resume {}`", path_, path_);
  }
  damaged("/", "attribute kind is neither tensor nor model");
}

void Hdf5Reader::damaged(const std::string& object, const std::string& what) const {
  fail(ErrorKind::data, "'{}', object {}: {}", path_, object, what);
}

bool Hdf5Reader::has(const std::string& object) const {
  // H5Lexists wants every group on the way to exist.
  for (std::size_t slash = object.find('/', 1);; slash = object.find('/', slash + 1)) {
    const std::string part = object.substr(0, slash);
    if (H5Lexists(file_.get(), part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) break;
  }
  const bool sound = H5Oexists_by_name(file_.get(), object.c_str(), H5P_DEFAULT) > 0;
  H5Eclear2(H5E_DEFAULT);
  return sound;
}

bool Hdf5Reader::has_attribute(const std::string& object, const char* name) const {
  return H5Aexists_by_name(file_.get(), object.c_str(), name, H5P_DEFAULT) > 0;
}

std::size_t Hdf5Reader::count_numbered(const std::string& group) const {
  std::size_t count = 0;
  while (has(fmt::format("{}/{}", group, count + 1))) ++count;
  return count;
}

Hdf5Id Hdf5Reader::open_attribute(const std::string& object, const char* name) const {
  Hdf5Id id(H5Aopen_by_name(file_.get(), object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!id.valid()) {
    H5Eclear2(H5E_DEFAULT);
    damaged(object, fmt::format("attribute {} is missing", name));
  }
  return id;
}

std::string Hdf5Reader::text_attribute(const std::string& object, const char* name) const {
  const Hdf5Id id = open_attribute(object, name);
  const Hdf5Id type(H5Aget_type(id.get()), H5Tclose);
  const Hdf5Id space(H5Aget_space(id.get()), H5Sclose);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1) {
    damaged(object, fmt::format("attribute {} is not a text", name));
  }
  if (H5Tis_variable_str(type.get()) > 0) {
    std::vector<char*> text(1, nullptr);
    const Hdf5Id memory = hdf5_text_type();
    H5Tset_cset(memory.get(), H5Tget_cset(type.get()));
    if (H5Aread(id.get(), memory.get(), text.data()) < 0)
      damaged(object, fmt::format("attribute {}: {}", name, hdf5_reason()));
    const ReclaimTexts reclaim{memory.get(), space.get(), text};
    return text[0] == nullptr ? std::string() : std::string(text[0]);
  }
  const std::size_t size = H5Tget_size(type.get());
  if (size > file_bytes_) damaged(object, fmt::format("attribute {} claims {} bytes", name, size));
  std::vector<char> text(size + 1, '\0');
  if (H5Aread(id.get(), type.get(), text.data()) < 0)
    damaged(object, fmt::format("attribute {}: {}", name, hdf5_reason()));
  return trimmed(text.data(), size, type.get());
}

double Hdf5Reader::number_attribute(const std::string& object, const char* name) const {
  const Hdf5Id id = open_attribute(object, name);
  const Hdf5Id space(H5Aget_space(id.get()), H5Sclose);
  double value = 0;
  if (H5Sget_simple_extent_npoints(space.get()) != 1 || H5Aread(id.get(), H5T_NATIVE_DOUBLE, &value) < 0) {
    damaged(object, fmt::format("attribute {} is not a number", name));
  }
  return value;
}

std::vector<std::uint64_t> Hdf5Reader::list_attribute(const std::string& object, const char* name) const {
  const Hdf5Id id = open_attribute(object, name);
  const Hdf5Id type(H5Aget_type(id.get()), H5Tclose);
  const Hdf5Id space(H5Aget_space(id.get()), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (H5Tget_class(type.get()) != H5T_INTEGER || count < 1 || count > 32) {
    damaged(object, fmt::format("attribute {} is not a list of whole numbers", name));
  }
  std::vector<std::uint64_t> values(static_cast<std::size_t>(count));
  if (H5Aread(id.get(), H5T_NATIVE_UINT64, values.data()) < 0) {
    damaged(object, fmt::format("attribute {}: {}", name, hdf5_reason()));
  }
  return values;
}

Hdf5Reader::Dataset Hdf5Reader::open(const std::string& name) const {
  if (!has(name)) damaged(name, "is missing");
  Dataset out{name, Hdf5Id(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose), {}, 1};
  if (!out.id.valid()) damaged(name, "cannot be opened: " + hdf5_reason());
  const Hdf5Id space(H5Dget_space(out.id.get()), H5Sclose);
  const Hdf5Id type(H5Dget_type(out.id.get()), H5Tclose);
  const Hdf5Id layout(H5Dget_create_plist(out.id.get()), H5Pclose);
  const int modes = H5Sget_simple_extent_ndims(space.get());
  if (modes < 0 || !type.valid() || !layout.valid()) damaged(name, "cannot be opened: " + hdf5_reason());
  std::vector<hsize_t> extents(static_cast<std::size_t>(modes));
  H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
  out.shape.assign(extents.begin(), extents.end());
  double bytes = static_cast<double>(H5Tget_size(type.get()));
  for (const std::uint64_t extent : out.shape) bytes *= static_cast<double>(extent);
  const bool packed = H5Pget_layout(layout.get()) == H5D_CHUNKED;
  if (bytes > static_cast<double>(file_bytes_) * (packed ? most_compression : 1.0)) {
    damaged(name, fmt::format("claims {:.3g} bytes, but the file has only {}", bytes, file_bytes_));
  }
  for (const std::uint64_t extent : out.shape) out.elements *= extent;
  return out;
}

void Hdf5Reader::read_as(const Dataset& dataset, hid_t memory_type, std::uint64_t begin, std::uint64_t count,
                         void* out) const {
  if (count == 0) return;
  const Hdf5Id space(H5Dget_space(dataset.id.get()), H5Sclose);
  const hsize_t extent = count;
  const Hdf5Id memory(H5Screate_simple(1, &extent, nullptr), H5Sclose);
  bool ok = space.valid() && memory.valid();
  if (dataset.shape.size() == 1) {
    const hsize_t start = begin;
    ok = ok && H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &extent, nullptr) >= 0;
  }
  ok = ok && H5Dread(dataset.id.get(), memory_type, memory.get(), space.get(), H5P_DEFAULT, out) >= 0;
  if (!ok) damaged(dataset.name, "cannot be read: " + hdf5_reason());
}

void Hdf5Reader::read(const Dataset& dataset, double* out) const {
  read(dataset, 0, dataset.elements, out);
}

void Hdf5Reader::read(const Dataset& dataset, std::uint64_t begin, std::uint64_t count, double* out) const {
  const Hdf5Id type(H5Dget_type(dataset.id.get()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind != H5T_FLOAT && kind != H5T_INTEGER) damaged(dataset.name, "does not hold numbers");
  read_as(dataset, H5T_NATIVE_DOUBLE, begin, count, out);
}

void Hdf5Reader::read(const Dataset& dataset, std::uint64_t begin, std::uint64_t count, std::uint32_t* out) const {
  const Hdf5Id type(H5Dget_type(dataset.id.get()), H5Tclose);
  if (H5Tget_class(type.get()) != H5T_INTEGER) damaged(dataset.name, "does not hold whole numbers");
  if (H5Tequal(type.get(), H5T_NATIVE_UINT32) > 0) {
    read_as(dataset, H5T_NATIVE_UINT32, begin, count, out);
    return;
  }
  // HDF5 clips what does not fit without a word: read wide and check.
  std::vector<std::int64_t> wide(count);
  read_as(dataset, H5T_NATIVE_INT64, begin, count, wide.data());
  for (std::uint64_t i = 0; i < count; ++i) {
    if (wide[i] < 0 || wide[i] >= static_cast<std::int64_t>(max_held_extent)) {
      damaged(dataset.name, fmt::format("index {} at position {} is out of range", wide[i], begin + i));
    }
    out[i] = static_cast<std::uint32_t>(wide[i]);
  }
}

std::optional<FileRange> Hdf5Reader::place(const Dataset& dataset, hid_t type) const {
  const Hdf5Id stored(H5Dget_type(dataset.id.get()), H5Tclose);
  const haddr_t offset = H5Dget_offset(dataset.id.get());
  H5Eclear2(H5E_DEFAULT);
  if (dataset.elements == 0 || H5Tequal(stored.get(), type) <= 0 || offset == HADDR_UNDEF) return std::nullopt;
  const std::uint64_t bytes = dataset.elements * H5Tget_size(type);
  if (offset > file_bytes_ || bytes > file_bytes_ - offset) damaged(dataset.name, "lies beyond the end of the file");
  return FileRange{offset, bytes};
}

std::vector<std::string> Hdf5Reader::read_texts(const Dataset& dataset) const {
  const Hdf5Id type(H5Dget_type(dataset.id.get()), H5Tclose);
  if (H5Tget_class(type.get()) != H5T_STRING || dataset.shape.size() != 1) {
    damaged(dataset.name, "does not hold a list of texts");
  }
  std::vector<std::string> out;
  out.reserve(dataset.elements);
  if (dataset.elements == 0) return out;
  if (H5Tis_variable_str(type.get()) > 0) {
    std::vector<char*> texts(dataset.elements, nullptr);
    const Hdf5Id memory = hdf5_text_type();
    H5Tset_cset(memory.get(), H5Tget_cset(type.get()));
    const Hdf5Id space(H5Dget_space(dataset.id.get()), H5Sclose);
    read_as(dataset, memory.get(), 0, dataset.elements, texts.data());
    const ReclaimTexts reclaim{memory.get(), space.get(), texts};
    for (const char* text : texts) out.emplace_back(text == nullptr ? "" : text);
    return out;
  }
  const std::size_t size = H5Tget_size(type.get());
  std::vector<char> bytes(size * dataset.elements);
  read_as(dataset, type.get(), 0, dataset.elements, bytes.data());
  for (std::uint64_t i = 0; i < dataset.elements; ++i)
    out.push_back(trimmed(bytes.data() + i * size, size, type.get()));
  return out;
}

Hdf5Id Hdf5Reader::column_type(const Dataset& dataset, const char* column) const {
  const Hdf5Id type(H5Dget_type(dataset.id.get()), H5Tclose);
  const int member = H5Tget_class(type.get()) == H5T_COMPOUND ? H5Tget_member_index(type.get(), column) : -1;
  Hdf5Id found;
  if (member >= 0) found = Hdf5Id(H5Tget_member_type(type.get(), static_cast<unsigned>(member)), H5Tclose);
  H5Eclear2(H5E_DEFAULT);
  return found;
}

void Hdf5Reader::read_table(const Dataset& dataset, hid_t memory_type, void* out) const {
  const Hdf5Id type(H5Dget_type(dataset.id.get()), H5Tclose);
  if (H5Tget_class(type.get()) != H5T_COMPOUND || dataset.shape.size() != 1) damaged(dataset.name, "is not a table");
  for (int i = 0; i < H5Tget_nmembers(memory_type); ++i) {
    const std::unique_ptr<char, herr_t (*)(void*)> name(H5Tget_member_name(memory_type, static_cast<unsigned>(i)),
                                                        H5free_memory);
    if (H5Tget_member_index(type.get(), name.get()) < 0) {
      H5Eclear2(H5E_DEFAULT);
      damaged(dataset.name, fmt::format("has no column {}", name.get()));
    }
  }
  read_as(dataset, memory_type, 0, dataset.elements, out);
}

}  // namespace polyad
