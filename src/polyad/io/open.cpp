#include <polyad/base/error.hpp>
#include <polyad/io/hdf5_tensor.hpp>
#include <polyad/io/input_file.hpp>
#include <polyad/io/npy.hpp>
#include <polyad/io/open.hpp>
#include <polyad/io/tns_read.hpp>
#include <polyad/io/tns_write.hpp>

namespace polyad {

Tensor read_tensor(const std::string& path, const ReadOptions& options, Remarks* remarks) {
  if (options.base && *options.base != 0 && *options.base != 1) {
    fail(ErrorKind::usage, "base must be 0 or 1 (is {})", *options.base);
  }
  InputFile file(path);
  switch (file.format()) {
    case FileFormat::hdf5:
      return read_hdf5_tensor(path, options, remarks);
    case FileFormat::npy:
      return read_npy(file, options, remarks);
    case FileFormat::text:
    case FileFormat::gzip:
      return read_tns(file, options, remarks);
    case FileFormat::other:
      break;
  }
  fail(ErrorKind::data, "'{}' is {}; polyad reads .tns (also gzipped), .npy and its own HDF5", path,
       file.unsupported());
}

void write_tensor(const std::string& path, const Tensor& tensor) {
  const std::string_view name = path;
  if (name.ends_with(".tns")) {
    write_tns(path, tensor, false);
  } else if (name.ends_with(".tns.gz")) {
    write_tns(path, tensor, true);
  } else if (name.ends_with(".npy")) {
    write_npy(path, tensor);
  } else if (name.ends_with(".h5") || name.ends_with(".hdf5")) {
    write_hdf5_tensor(path, tensor);
  } else {
    fail(ErrorKind::usage,
         "cannot write '{}': the extension gives the format; use .tns, .tns.gz, .npy (dense), .h5 or .hdf5", path);
  }
}

}  // namespace polyad
