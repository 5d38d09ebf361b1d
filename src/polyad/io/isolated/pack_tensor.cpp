#include <polyad/base/memory.hpp>
#include <polyad/io/input_file.hpp>
#include <polyad/io/isolated/pack.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstring>
#include <span>

namespace polyad {
namespace {

template <class T>
std::string_view view(const T* data, std::size_t count) {
  return {reinterpret_cast<const char*>(data), count * sizeof(T)};
}

void pack_records(WireWriter& out, const Records& records, const std::optional<FileRange>& place) {
  out.number(records.weighted() ? 1 : 0);
  if (place) {
    out.array(*place);
  } else {
    out.array(view(reinterpret_cast<const char*>(records.words()), records.size() * records.record_bytes()));
  }
}

void pack_cells(WireWriter& out, const Mappable<double>& values, const std::optional<FileRange>& place) {
  if (place) {
    out.array(*place);
  } else {
    out.array(view(values.data(), values.size()));
  }
}

// Where the elements of an array are to stay where they are: what keeps them.
std::shared_ptr<const void> kept(const WireReader::Array& array, InputFile& file, bool map) {
  if (!array.in_file) return worth_mapping(Mapping::automatic, static_cast<double>(array.bytes)) ? array.here : nullptr;
  if (!map || array.bytes == 0 || array.in_file->offset % 8 != 0) return nullptr;
  return map_file(file, array.in_file->offset, array.bytes);
}

void copy_elements(const WireReader::Array& array, InputFile& file, char* out) {
  if (array.bytes == 0) return;
  if (array.in_file) {
    file.read_at(array.in_file->offset, out, array.bytes);
  } else {
    std::memcpy(out, array.here.get(), array.bytes);
  }
}

Records unpack_records(WireReader& in, InputFile& file, std::size_t modes, bool map) {
  const bool weighted = in.flag();
  const WireReader::Array array = in.array(file);
  const std::size_t record_bytes = Records(modes, weighted).record_bytes();
  if (array.bytes % record_bytes != 0) in.bad();
  const std::size_t count = array.bytes / record_bytes;
  if (auto stays = kept(array, file, map)) {
    const auto* const words = static_cast<const std::uint32_t*>(stays.get());
    return Records::in_file(modes, weighted, count, words, std::move(stays));
  }
  require_memory(static_cast<double>(array.bytes), "a sparse tensor of this many entries");
  Records records = Records::blank(modes, weighted, count);
  copy_elements(array, file, reinterpret_cast<char*>(records.words_to_change()));
  return records;
}

Mappable<double> unpack_cells(WireReader& in, InputFile& file, bool map) {
  const WireReader::Array array = in.array(file);
  if (array.bytes % sizeof(double) != 0) in.bad();
  const std::size_t count = array.bytes / sizeof(double);
  if (auto stays = kept(array, file, map)) {
    const auto* const values = static_cast<const double*>(stays.get());
    return {values, count, std::move(stays)};
  }
  require_memory(static_cast<double>(array.bytes), "the values of this dense tensor");
  AlignedVector<double> values(count);
  copy_elements(array, file, reinterpret_cast<char*>(values.data()));
  return values;
}

void pack_facts(WireWriter& out, const TensorFacts& facts) {
  const ValueFacts& v = facts.values;
  for (const double x : {v.least, v.greatest, v.mean, v.observed, v.zeros, v.negatives, facts.norm}) out.real(x);
  out.number(v.whole ? 1 : 0);
  out.number(v.binary ? 1 : 0);
  out.number(facts.fingerprint);
}

TensorFacts unpack_facts(WireReader& in) {
  TensorFacts facts;
  ValueFacts& v = facts.values;
  for (double* x : {&v.least, &v.greatest, &v.mean, &v.observed, &v.zeros, &v.negatives, &facts.norm}) *x = in.real();
  v.whole = in.flag();
  v.binary = in.flag();
  facts.fingerprint = in.number();
  return facts;
}

}  // namespace

void pack(WireWriter& out, const RawTensor& tensor, const TensorPlaces& places) {
  out.numbers(tensor.space.extents());
  pack_labels(out, tensor.labels);
  out.number(tensor.entries ? 1 : 0);
  if (tensor.entries) {
    pack_records(out, *tensor.entries, places.entries);
    out.number(tensor.unlisted == Unlisted::missing ? 1 : 0);
    out.real(tensor.zero_weight);
    out.number(tensor.missing ? 1 : 0);
    if (tensor.missing) pack_records(out, *tensor.missing, {});
  } else {
    pack_cells(out, tensor.values, places.values);
    pack_cells(out, tensor.weights, places.weights);
  }
  out.number(tensor.facts ? 1 : 0);
  if (tensor.facts) pack_facts(out, *tensor.facts);
}

RawTensor unpack_tensor(WireReader& in, InputFile& file, bool map) {
  RawTensor tensor{IndexSpace(in.numbers())};
  tensor.labels = unpack_labels(in, tensor.space);
  if (in.flag()) {
    tensor.entries = unpack_records(in, file, tensor.space.modes(), map);
    tensor.unlisted = in.flag() ? Unlisted::missing : Unlisted::zero;
    tensor.zero_weight = in.real();
    if (in.flag()) tensor.missing = unpack_records(in, file, tensor.space.modes(), false);
  } else {
    tensor.values = unpack_cells(in, file, map);
    tensor.weights = unpack_cells(in, file, map);
    const auto cells = tensor.space.exact_cells();
    if (tensor.values.size() != cells || (!tensor.weights.empty() && tensor.weights.size() != cells)) in.bad();
  }
  if (in.flag()) tensor.facts = unpack_facts(in);
  in.expect_end();
  return tensor;
}

}  // namespace polyad
