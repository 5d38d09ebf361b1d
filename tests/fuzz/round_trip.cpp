#include "round_trip.hpp"

#include <polyad/io/open.hpp>

#include <unistd.h>
#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

namespace polyad::fuzz {
namespace {

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same_bits(a[i], b[i])) return false;
  }
  return true;
}

bool same_records(const Records& a, const Records& b) {
  if (a.size() != b.size() || a.weighted() != b.weighted()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < a.modes(); ++k) {
      if (a.index(i)[k] != b.index(i)[k]) return false;
    }
    if (!same_bits(a.value(i), b.value(i)) || !same_bits(a.weight(i), b.weight(i))) return false;
  }
  return true;
}

bool same_tensor(const Tensor& a, const Tensor& b) {
  if (!(a.space() == b.space()) || a.is_sparse() != b.is_sparse()) return false;
  if (a.is_sparse()) {
    return same_records(a.sparse()->records(), b.sparse()->records()) &&
           a.sparse()->unlisted() == b.sparse()->unlisted();
  }
  return same_bits(a.dense()->values(), b.dense()->values());
}

// Neither weights nor lists of missing cells have a place in text and NumPy files; HDF5 is for these.
bool is_plain(const Tensor& tensor) {
  if (const SparseTensor* sparse = tensor.sparse()) return !sparse->weighted() && sparse->missing_cells() == 0;
  return !tensor.dense()->weighted();
}

// Large ones, and those that the HDF5 library would read in a child process, cost too much here.
bool is_affordable(const Tensor& tensor) {
  return is_plain(tensor) && tensor.space().sum_of_extents() < 100000 &&
         (tensor.is_sparse() || tensor.dense()->cells() < 100000);
}

}  // namespace

void broken(const char* what) {
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

void expect_sound(const Tensor& tensor) {
  if (const SparseTensor* sparse = tensor.sparse()) {
    for (std::size_t i = 0; i < sparse->listed(); ++i) {
      if (!std::isfinite(sparse->records().value(i))) broken("a listed value is finite");
      if (!tensor.space().contains(sparse->records().cell(i))) broken("an index is within its extent");
    }
  }
  tensor.labels().check(tensor.space());
}

void expect_round_trip(const Tensor& tensor, const std::string& scratch) {
  if (!is_affordable(tensor)) return;
  const bool missing = tensor.is_sparse() && tensor.sparse()->unlisted() == Unlisted::missing;
  const std::string path = scratch + (tensor.is_sparse() ? ".tns" : ".npz");
  write_tensor(path, tensor);
  ReadOptions options;
  if (missing) options.unlisted = Unlisted::missing;
  const Tensor again = read_tensor(path, options);
  unlink(path.c_str());
  if (!same_tensor(tensor, again)) broken("a tensor that is written and read again is the same");
  if (!(tensor.labels() == again.labels())) broken("labels that are written and read again are the same");
}

void expect_round_trip(const ModelFile& model, const std::string& scratch) {
  if (IndexSpace(model.model.factors.extents()).sum_of_extents() > 100000) return;
  const std::string path = scratch + ".npz";
  write_model(path, model);
  const ModelFile again = read_model(path);
  unlink(path.c_str());
  if (!same_bits(model.model.weights, again.model.weights) ||
      !same_bits(model.model.factors.flat(), again.model.factors.flat())) {
    broken("a model that is written and read again is the same");
  }
}

void expect_round_trip(const CheckpointFile& checkpoint, const std::string& scratch) {
  const std::string path = scratch + ".h5";
  write_checkpoint(path, checkpoint);
  const CheckpointFile again = read_checkpoint(path);
  unlink(path.c_str());
  const auto text = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  bool same = text(checkpoint.identity) == text(again.identity) && text(checkpoint.options) == text(again.options) &&
              checkpoint.starts.size() == again.starts.size();
  for (std::size_t i = 0; same && i < again.starts.size(); ++i) {
    const StoredStart &a = checkpoint.starts[i], &b = again.starts[i];
    same = a.start == b.start && same_bits(a.numbers, b.numbers) && a.arrays.size() == b.arrays.size();
    for (std::size_t k = 0; same && k < a.arrays.size(); ++k) {
      same = a.arrays[k].first == b.arrays[k].first && same_bits(a.arrays[k].second, b.arrays[k].second);
    }
  }
  if (!same) broken("a checkpoint that is written and read again is the same");
}

std::string sealed(std::string bytes) {
  const auto put = [&](std::uint64_t number) {
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(number >> (8 * i));
  };
  const std::uint64_t size = bytes.size();
  const std::uint64_t crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  bytes += "POLYADCK";
  put(size);
  put(crc);
  return bytes;
}

}  // namespace polyad::fuzz
