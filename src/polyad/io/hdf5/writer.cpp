#include <polyad/base/error.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/hdf5/trailer.hpp>
#include <polyad/io/hdf5/writer.hpp>

#include <algorithm>
#include <bit>

namespace polyad {

namespace {

constexpr hsize_t page_bytes = 4096;

static_assert(std::endian::native == std::endian::little, "large arrays are written as they are");

}  // namespace

Hdf5Id hdf5_text_type() {
  Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

Hdf5Writer::Hdf5Writer(std::string path, const std::string& kind) : path_(std::move(path)) {
  const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  Hdf5Image* const image = &image_;
  H5Pset_driver(access.get(), Hdf5Image::driver(), &image);
  // Large datasets begin a page, so that they can be mapped.
  H5Pset_alignment(access.get(), page_bytes, page_bytes);
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18);
  const Hdf5Id create(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_obj_track_times(create.get(), false);
  file_ = Hdf5Id(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, create.get(), access.get()), H5Fclose);
  check(file_.valid(), "/");
  attribute("/", "format", std::string("polyad"));
  const std::uint64_t version[] = {1};
  attribute("/", "version", version);
  attribute("/", "kind", kind);
}

void Hdf5Writer::check(bool ok, const std::string& name) const {
  if (!ok) fail(ErrorKind::file, "cannot write '{}': making '{}' failed: {}", path_, name, hdf5_reason());
}

void Hdf5Writer::group(const std::string& name) {
  const Hdf5Id create(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_obj_track_times(create.get(), false);
  const Hdf5Id made(H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, create.get(), H5P_DEFAULT), H5Gclose);
  check(made.valid(), name);
}

void Hdf5Writer::write_attribute(const std::string& object, const char* name, hid_t file_type, hid_t memory_type,
                                 hid_t space, const void* data) {
  const Hdf5Id made(
      H5Acreate_by_name(file_.get(), object.c_str(), name, file_type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  check(made.valid() && H5Awrite(made.get(), memory_type, data) >= 0, object + "@" + name);
}

void Hdf5Writer::attribute(const std::string& object, const char* name, const std::string& text) {
  const Hdf5Id type = hdf5_text_type();
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose);
  const char* pointer = text.c_str();
  write_attribute(object, name, type.get(), type.get(), space.get(), &pointer);
}

void Hdf5Writer::attribute(const std::string& object, const char* name, double value) {
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose);
  write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space.get(), &value);
}

void Hdf5Writer::attribute(const std::string& object, const char* name, std::span<const std::uint64_t> values) {
  const hsize_t count = values.size();
  const Hdf5Id space(count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr), H5Sclose);
  write_attribute(object, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, space.get(), values.data());
}

void Hdf5Writer::write(const std::string& name, hid_t file_type, hid_t memory_type, const void* data,
                       std::span<const std::uint64_t> shape) {
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  const Hdf5Id space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose);
  const Hdf5Id create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(create.get(), false);
  H5Pset_layout(create.get(), H5D_CONTIGUOUS);
  const Hdf5Id made(
      H5Dcreate2(file_.get(), name.c_str(), file_type, space.get(), H5P_DEFAULT, create.get(), H5P_DEFAULT), H5Dclose);
  check(made.valid(), name);
  const bool empty = std::find(extents.begin(), extents.end(), 0) != extents.end();
  check(empty || H5Dwrite(made.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0, name);
}

void Hdf5Writer::dataset(const std::string& name, std::span<const double> values,
                         std::span<const std::uint64_t> shape) {
  write(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data(), shape);
}

void Hdf5Writer::dataset(const std::string& name, std::span<const std::uint32_t> values) {
  const std::uint64_t shape[] = {values.size()};
  write(name, H5T_STD_U32LE, H5T_NATIVE_UINT32, values.data(), shape);
}

void Hdf5Writer::dataset(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  pointers.reserve(texts.size());
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  const Hdf5Id type = hdf5_text_type();
  const std::uint64_t shape[] = {texts.size()};
  write(name, type.get(), type.get(), pointers.data(), shape);
}

void Hdf5Writer::table(const std::string& name, hid_t file_type, hid_t memory_type, const void* data,
                       std::uint64_t count) {
  const std::uint64_t shape[] = {count};
  write(name, file_type, memory_type, data, shape);
}

void Hdf5Writer::large_dataset(const std::string& name, std::span<const double> values,
                               std::span<const std::uint64_t> shape) {
  image_.refer_to({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  dataset(name, values, shape);
  image_.refer_to({});
}

void Hdf5Writer::large_table(const std::string& name, hid_t type, const void* data, std::uint64_t count) {
  image_.refer_to({static_cast<const char*>(data), count * H5Tget_size(type)});
  table(name, type, type, data, count);
  image_.refer_to({});
}

void Hdf5Writer::commit() {
  check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) >= 0, "/");
  file_ = {};
  AtomicFile file(path_);
  put_with_trailer(image_, [&](std::string_view bytes) { file.write(bytes); });
  file.commit();
}

}  // namespace polyad
