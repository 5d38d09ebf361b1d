#include <polyad/base/error.hpp>
#include <polyad/base/joined.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/numpy/npy.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/format.h>

#include <bit>

namespace polyad {

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
  const DenseTensor* const dense = tensor.dense();
  if (dense == nullptr) {
    fail(ErrorKind::usage,
         "cannot write '{}': .npy is for dense tensors and this one is sparse; write .tns or .h5 instead", path);
  }
  if (dense->weighted()) {
    fail(ErrorKind::usage, "cannot write '{}': .npy has no place for weights; write .h5 instead", path);
  }
  AtomicFile file(path);
  file.write(npy_header("f8", dense->space().extents()));
  const auto values = dense->values();
  file.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  file.commit();
}

}  // namespace polyad
