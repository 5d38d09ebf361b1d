#include <polyad/io/hdf5/records.hpp>

#include <fmt/format.h>

#include <bit>

namespace polyad {

static_assert(std::endian::native == std::endian::little, "records are mapped as they are");

Hdf5Id hdf5_record_type(const Records& records) {
  Hdf5Id type(H5Tcreate(H5T_COMPOUND, records.record_bytes()), H5Tclose);
  for (std::size_t k = 0; k < records.modes(); ++k) {
    H5Tinsert(type.get(), fmt::format("i{}", k + 1).c_str(), k * sizeof(Index), H5T_STD_U32LE);
  }
  const std::size_t value = records.value_word() * sizeof(std::uint32_t);
  H5Tinsert(type.get(), "value", value, H5T_IEEE_F64LE);
  if (records.weighted()) H5Tinsert(type.get(), "weight", value + sizeof(double), H5T_IEEE_F64LE);
  return type;
}

}  // namespace polyad
