#include <polyad/io/hdf5/image.hpp>

#include <algorithm>
#include <cstring>
#include <new>

namespace polyad {
namespace {

// HDF5 knows a file by its H5FD_t, which comes first.
struct OpenImage {
  H5FD_t known_to_hdf5{};
  Hdf5Image* image = nullptr;
};

OpenImage& opened(H5FD_t* file) {
  return *reinterpret_cast<OpenImage*>(file);
}
const OpenImage& opened(const H5FD_t* file) {
  return *reinterpret_cast<const OpenImage*>(file);
}

constexpr herr_t good = 0;
constexpr herr_t bad = -1;

H5FD_t* open_image(const char*, unsigned, hid_t access, haddr_t) {
  const auto* const image = static_cast<Hdf5Image* const*>(H5Pget_driver_info(access));
  if (image == nullptr) return nullptr;
  auto* const file = new (std::nothrow) OpenImage;
  if (file == nullptr) return nullptr;
  file->image = *image;
  return &file->known_to_hdf5;
}

herr_t close_image(H5FD_t* file) {
  delete &opened(file);
  return good;
}

int compare_images(const H5FD_t* a, const H5FD_t* b) {
  const std::less<const Hdf5Image*> before;
  return int{before(opened(b).image, opened(a).image)} - int{before(opened(a).image, opened(b).image)};
}

herr_t query_image(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr) *flags = H5FD_FEAT_AGGREGATE_METADATA;
  return good;
}

haddr_t end_of_image(const H5FD_t* file, H5FD_mem_t) {
  return opened(file).image->end;
}

herr_t set_end_of_image(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  opened(file).image->end = end;
  return good;
}

herr_t read_image(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, std::size_t count, void* out) {
  opened(file).image->read(offset, static_cast<char*>(out), count);
  return good;
}

herr_t write_image(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, std::size_t count, const void* bytes) {
  try {
    opened(file).image->write(offset, {static_cast<const char*>(bytes), count});
    return good;
  } catch (const std::bad_alloc&) {
    return bad;  // must not cross the library, which is C
  }
}

bool within(std::string_view part, std::string_view whole) {
  const std::less_equal<const char*> not_after;
  return not_after(whole.data(), part.data()) && not_after(part.data() + part.size(), whole.data() + whole.size());
}

}  // namespace

hid_t Hdf5Image::driver() {
  static const H5FD_class_t kind = [] {
    H5FD_class_t c{};
    c.name = "polyad";
    c.maxaddr = HADDR_MAX;
    c.fc_degree = H5F_CLOSE_WEAK;
    c.fapl_size = sizeof(void*);  // an Hdf5Image*
    c.open = open_image;
    c.close = close_image;
    c.cmp = compare_images;
    c.query = query_image;
    c.get_eoa = end_of_image;
    c.set_eoa = set_end_of_image;
    c.get_eof = end_of_image;
    c.read = read_image;
    c.write = write_image;
    const H5FD_mem_t lists[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
    std::ranges::copy(lists, c.fl_map);
    return c;
  }();
  static const hid_t id = H5FDregister(&kind);
  return id;
}

void Hdf5Image::write(std::uint64_t offset, std::string_view bytes) {
  if (!bytes.empty() && within(bytes, referable_)) {
    noted_[offset] = bytes;
    return;
  }
  while (!bytes.empty()) {
    const std::size_t at = offset % block_bytes;
    const std::size_t part = std::min(bytes.size(), block_bytes - at);
    std::unique_ptr<Block>& block = blocks_[offset / block_bytes];
    if (block == nullptr) block = std::make_unique<Block>();
    std::memcpy(block->data() + at, bytes.data(), part);
    bytes.remove_prefix(part);
    offset += part;
  }
}

void Hdf5Image::read(std::uint64_t offset, char* out, std::size_t count) const {
  while (count > 0) {
    const std::size_t at = offset % block_bytes;
    const std::size_t part = std::min(count, block_bytes - at);
    const auto block = blocks_.find(offset / block_bytes);
    if (block == blocks_.end()) {
      std::memset(out, 0, part);
    } else {
      std::memcpy(out, block->second->data() + at, part);
    }
    out += part;
    count -= part;
    offset += part;
  }
}

std::vector<Hdf5Image::Range> Hdf5Image::noted() const {
  std::vector<Range> ranges;
  for (const auto& [offset, bytes] : noted_) {
    if (!ranges.empty() && ranges.back().offset + ranges.back().bytes == offset) {
      ranges.back().bytes += bytes.size();
    } else {
      ranges.push_back({offset, bytes.size()});
    }
  }
  return ranges;
}

void Hdf5Image::for_each_piece(const std::function<void(std::string_view, bool)>& visit) const {
  Block buffer;
  std::uint64_t offset = 0;
  const auto laid_out_until = [&](std::uint64_t stop) {
    while (offset < stop) {
      const std::size_t part = std::min<std::uint64_t>(block_bytes, stop - offset);
      read(offset, buffer.data(), part);
      visit({buffer.data(), part}, false);
      offset += part;
    }
  };
  for (const auto& [begin, bytes] : noted_) {
    laid_out_until(begin);
    visit(bytes, true);
    offset = begin + bytes.size();
  }
  laid_out_until(end);
}

}  // namespace polyad
