#include <polyad/base/error.hpp>
#include <polyad/io/hdf5/parts.hpp>
#include <polyad/io/isolated/pack.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

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

constexpr const char* facts_group = "/facts";

// Names and places of the facts that are numbers; the same list for writing and reading.
template <class Facts>
auto numbers(Facts& facts) {
  return std::array{
      std::pair("least", &facts.values.least), std::pair("greatest", &facts.values.greatest),
      std::pair("mean", &facts.values.mean),   std::pair("observed", &facts.values.observed),
      std::pair("zeros", &facts.values.zeros), std::pair("negatives", &facts.values.negatives),
      std::pair("norm", &facts.norm),
  };
}

template <class Facts>
auto flags(Facts& facts) {
  return std::array{std::pair("whole", &facts.values.whole), std::pair("binary", &facts.values.binary)};
}

}  // namespace

void write_hdf5_labels(Hdf5Writer& file, const Labels& labels) {
  file.group("/labels");
  if (!labels.import_options().empty()) file.attribute("/labels", "import", labels.import_options());
  for (std::size_t k = 0; k < labels.modes(); ++k) {
    if (labels.mode(k) == ModeLabels{}) continue;
    const std::string group = fmt::format("/labels/{}", k + 1);
    file.group(group);
    file.attribute(group, "name", labels.mode(k).name);
    if (!labels.mode(k).entries.empty()) file.dataset(group + "/entries", labels.mode(k).entries);
  }
}

Labels read_hdf5_labels(const Hdf5Reader& file, const IndexSpace& space) {
  Labels labels(space.modes());
  if (file.has("/labels") && file.has_attribute("/labels", "import")) {
    labels.set_import_options(file.text_attribute("/labels", "import"));
  }
  for (std::size_t k = 0; k < space.modes(); ++k) {
    const std::string group = fmt::format("/labels/{}", k + 1);
    if (!file.has(group)) continue;
    if (file.has_attribute(group, "name")) labels.mode(k).name = file.text_attribute(group, "name");
    if (!file.has(group + "/entries")) continue;
    const auto dataset = file.open(group + "/entries");
    if (dataset.elements != space.extent(k)) {
      file.damaged(dataset.name, fmt::format("has {} labels for {} indices", dataset.elements, space.extent(k)));
    }
    labels.mode(k).entries = file.read_texts(dataset);
  }
  return labels;
}

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

void write_hdf5_facts(Hdf5Writer& file, const TensorFacts& facts) {
  file.group(facts_group);
  for (const auto& [name, value] : numbers(facts)) file.attribute(facts_group, name, *value);
  for (const auto& [name, value] : flags(facts)) file.attribute(facts_group, name, *value ? 1.0 : 0.0);
  const std::uint64_t fingerprint[] = {facts.fingerprint};
  file.attribute(facts_group, "fingerprint", fingerprint);
}

std::optional<TensorFacts> read_hdf5_facts(const Hdf5Reader& file) {
  if (!file.has(facts_group)) return std::nullopt;
  TensorFacts facts;
  for (const auto& [name, value] : numbers(facts)) *value = file.number_attribute(facts_group, name);
  for (const auto& [name, value] : flags(facts)) *value = file.number_attribute(facts_group, name) != 0;
  const std::vector<std::uint64_t> fingerprint = file.list_attribute(facts_group, "fingerprint");
  if (fingerprint.size() != 1) file.damaged(facts_group, "attribute fingerprint is not one number");
  facts.fingerprint = fingerprint[0];
  return facts;
}

Json read_json_attribute(const Hdf5Reader& file, const std::string& group) {
  if (!file.has(group)) return Json::object();
  auto json = json_object_of(file.text_attribute(group, "json"));
  if (!json) file.damaged(group, "attribute json is not a JSON object, or is nested more than 64 deep");
  return std::move(*json);
}

}  // namespace polyad
