#include <polyad/io/hdf5/trace.hpp>

#include <cstddef>
#include <cstdint>

namespace polyad {
namespace {

// A trace row as it lies in memory here and, packed by HDF5's conversion, in the file.
struct StoredRow {
  std::uint64_t epoch;
  double seconds;
  double estimate;
  double rate;
  std::uint8_t accepted;
};

Hdf5Id memory_row_type() {
  Hdf5Id type(H5Tcreate(H5T_COMPOUND, sizeof(StoredRow)), H5Tclose);
  H5Tinsert(type.get(), "epoch", offsetof(StoredRow, epoch), H5T_NATIVE_UINT64);
  H5Tinsert(type.get(), "seconds", offsetof(StoredRow, seconds), H5T_NATIVE_DOUBLE);
  H5Tinsert(type.get(), "estimate", offsetof(StoredRow, estimate), H5T_NATIVE_DOUBLE);
  H5Tinsert(type.get(), "rate", offsetof(StoredRow, rate), H5T_NATIVE_DOUBLE);
  H5Tinsert(type.get(), "accepted", offsetof(StoredRow, accepted), H5T_NATIVE_UINT8);
  return type;
}

Hdf5Id file_row_type() {
  Hdf5Id type(H5Tcreate(H5T_COMPOUND, 33), H5Tclose);
  H5Tinsert(type.get(), "epoch", 0, H5T_STD_U64LE);
  H5Tinsert(type.get(), "seconds", 8, H5T_IEEE_F64LE);
  H5Tinsert(type.get(), "estimate", 16, H5T_IEEE_F64LE);
  H5Tinsert(type.get(), "rate", 24, H5T_IEEE_F64LE);
  H5Tinsert(type.get(), "accepted", 32, H5T_STD_U8LE);
  return type;
}

}  // namespace

void write_hdf5_trace(Hdf5Writer& file, const std::string& name, const Trace& trace) {
  const Hdf5Id memory = memory_row_type();
  const Hdf5Id stored = file_row_type();
  std::vector<StoredRow> rows;
  for (const TraceRow& row : trace) {
    rows.push_back({row.epoch, row.seconds, row.estimate, row.rate, static_cast<std::uint8_t>(row.accepted)});
  }
  file.table(name, stored.get(), memory.get(), rows.data(), rows.size());
}

Trace read_hdf5_trace(const Hdf5Reader& file, const std::string& name) {
  const auto dataset = file.open(name);
  std::vector<StoredRow> rows(dataset.elements);
  const Hdf5Id memory = memory_row_type();
  file.read_table(dataset, memory.get(), rows.data());
  Trace trace;
  for (const StoredRow& row : rows) {
    trace.push_back({row.epoch, row.seconds, row.estimate, row.rate, row.accepted != 0});
  }
  return trace;
}

}  // namespace polyad
