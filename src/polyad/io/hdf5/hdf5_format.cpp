#include <polyad/io/build.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/hdf5/hdf5.hpp>
#include <polyad/io/hdf5/trailer.hpp>
#include <polyad/io/isolated/pack.hpp>
#include <polyad/io/isolated/reader.hpp>
#include <polyad/io/messages.hpp>

namespace polyad {
namespace {

constexpr std::string_view hdf5_extensions[] = {".h5", ".hdf5"};
constexpr std::string_view hdf5_signature{"\x89HDF\r\n\x1a\n", 8};

bool is_hdf5(std::string_view start) {
  if (start.starts_with("MATLAB")) return false;  // a .mat file of version 7.3 is HDF5 within
  // A program may put a block of its own before the signature.
  return start.starts_with(hdf5_signature) || (start.size() >= 520 && start.substr(512).starts_with(hdf5_signature));
}

bool holds_hdf5_model(InputFile& file) {
  check_hdf5_trailer(file, TrailerCheck::structure);
  IsolatedRead read(file, {.task = "hdf5-holds-model"}, nullptr);
  return read.result().flag();
}

Tensor read_hdf5_tensor(InputFile& file, const ReadOptions& options, Remarks* remarks) {
  return in_file(file.path(), [&] {
    const bool map = worth_mapping(options.mapping, static_cast<double>(file.size()));
    // Whoever looks at every entry can wait for the checksum of all of them.
    const bool look_at_all = options.inspect || options.inspect_dense;
    const bool ours = check_hdf5_trailer(file, map && !look_at_all ? TrailerCheck::structure : TrailerCheck::whole);
    IsolatedRead read(file, {.task = "hdf5-tensor", .facts = ours}, remarks);
    RawTensor raw = unpack_tensor(read.result(), file, map && ours);
    check_asked_shape(file.path(), raw.space, options);
    return build(std::move(raw), options, remarks);
  });
}

ModelFile read_sealed_model(InputFile& file) {
  return in_file(file.path(), [&] {
    check_hdf5_trailer(file, TrailerCheck::whole);
    IsolatedRead read(file, {.task = "hdf5-model"}, nullptr);
    return unpack_model(read.result());
  });
}

}  // namespace

extern constinit const FileFormat hdf5_format{
    .word = "hdf5",
    .name = ".h5",
    .what = "an HDF5 file",
    .help = "polyad's own HDF5, which keeps everything: options and traces of fits too",
    .extensions = hdf5_extensions,
    .dense = KeepsDense::yes,
    .sparse = true,
    .labels = true,
    .weights = true,
    .unlisted_missing = true,
    .missing = "NaN, a list of cells, or unlisted cells",
    .recognises = is_hdf5,
    .holds_model = holds_hdf5_model,
    .read_tensor = read_hdf5_tensor,
    .read_model = read_sealed_model,
    .write_tensor = [](const std::string& path, const Tensor& tensor,
                       const WriteOptions&) { write_hdf5_tensor(path, tensor); },
    .write_model = [](const std::string& path, const ModelFile& file,
                      const WriteOptions&) { write_hdf5_model(path, file); },
};

}  // namespace polyad
