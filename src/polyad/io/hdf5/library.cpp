#include <polyad/base/error.hpp>
#include <polyad/io/hdf5/library.hpp>
#include <polyad/io/messages.hpp>

namespace polyad {
namespace {

// Why a dataset is refused; empty: it is not.
std::string refused_dataset(hid_t dataset) {
  const Hdf5Id create(H5Dget_create_plist(dataset), H5Pclose);
  if (!create.valid()) return {};  // reading it will say why
  if (H5Pget_layout(create.get()) == H5D_VIRTUAL || H5Pget_external_count(create.get()) > 0) {
    return "keeps its data in another file, which polyad does not open; write a copy that holds them itself (h5repack)";
  }
  const int filters = H5Pget_nfilters(create.get());
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(create.get(), static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &config);
    if (filter < 0 || filter >= H5Z_FILTER_RESERVED || H5Zfilter_avail(filter) <= 0) {
      return fmt::format("is compressed by filter {}, which polyad does not have; write a copy with deflate (h5repack)",
                         filter);
    }
  }
  return {};
}

std::string refused(hid_t group, const char* name, const H5L_info_t& link) {
  if (link.type == H5L_TYPE_EXTERNAL) {
    return "is a link to another file, which polyad does not open; copy what it points to into the file";
  }
  if (link.type >= H5L_TYPE_UD_MIN) return "is a link of a kind that polyad does not know";
  if (link.type != H5L_TYPE_HARD) return {};
  const Hdf5Id object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
  if (!object.valid() || H5Iget_type(object.get()) != H5I_DATASET) return {};
  return refused_dataset(object.get());
}

herr_t look_at(hid_t group, const char* name, const H5L_info_t* link, void* out) {
  try {
    const std::string why = refused(group, name, *link);
    if (why.empty()) return 0;
    *static_cast<std::string*>(out) = fmt::format("object /{}: {}", excerpt(name), why);
  } catch (...) {
    return -1;  // must not cross the library, which is C
  }
  return 1;
}

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

herr_t keep_first(unsigned, const H5E_error2_t* error, void* out) {
  auto& text = *static_cast<std::string*>(out);
  if (text.empty() && error->desc != nullptr) text = error->desc;
  return 0;
}

}  // namespace

void prepare_hdf5_for_strangers() {
  H5open();
  H5PLset_loading_state(0);
  H5Lunregister(H5L_TYPE_EXTERNAL);
}

void refuse_other_files(hid_t file, const std::string& path) {
  std::string why;
  if (H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, look_at, &why) < 0) {
    fail(ErrorKind::data, "'{}' is a damaged HDF5 file: {}", path, hdf5_reason());
  }
  H5Eclear2(H5E_DEFAULT);
  if (!why.empty()) fail(ErrorKind::data, "'{}', {}", path, why);
}

Hdf5Session::Hdf5Session() : lock_(library_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &handler_, &handler_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Session::~Hdf5Session() {
  H5Eset_auto2(H5E_DEFAULT, handler_, handler_data_);
}

std::string hdf5_reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
  H5Eclear2(H5E_DEFAULT);
  // One line, whatever the library wrote.
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text.empty() ? "HDF5 gave no reason" : text;
}

}  // namespace polyad
