// Tensors mapped from files: the same bits and facts, next to no memory of their own, and a copy for whoever changes them.

#include "temp_folder.hpp"
#include "tensors.hpp"

#include <polyad/base/error.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>
#include <polyad/tensor/facts.hpp>

#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

namespace polyad {
namespace {

// Bytes of memory that belong to this process alone, and not to a file.
double anonymous_memory() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    double kilobytes = 0;
    if (word == "RssAnon:" && status >> kilobytes) return kilobytes * 1024;
  }
  return -1;
}

Tensor weighted_sparse() {
  SparseTensor x(IndexSpace({2, 4, 3}), records_of(3, {{{0, 1, 2}, 1.5}, {{1, 3, 0}, -2}, {{1, 0, 0}, 4}}));
  x.set_weights(records_of(3, {{{0, 1, 2}, 0.3}}));
  x.set_missing(records_of(3, {{{1, 1, 1}, 1}}));
  return x;
}

Tensor weighted_dense() {
  DenseTensor x(IndexSpace({2, 3}), {1.5, -2, 3, 4, 5, 6});
  x.set_weights({1, 0, 0.5, 1, 1, 1});
  return x;
}

// Few observed cells: these are listed.
Tensor thin_dense() {
  AlignedVector<double> values(100, std::numeric_limits<double>::quiet_NaN());
  values[17] = 1;
  values[99] = 0;
  return DenseTensor(IndexSpace({10, 10}), std::move(values));
}

class MappedTensor : public TempFolder {
 protected:
  static ReadOptions with(Mapping mapping) {
    ReadOptions options;
    options.mapping = mapping;
    return options;
  }
  Tensor read(const std::string& name, Mapping mapping) { return read_tensor(path(name), with(mapping)); }
  Tensor mapped(const std::string& name) {
    Tensor x = read(name, Mapping::always);
    EXPECT_TRUE(x.mapped()) << name;
    return x;
  }
  // Where the first of a file's large arrays begins and ends, as its trailer says.
  std::pair<std::size_t, std::size_t> array_in(const std::string& name) {
    const std::string bytes = bytes_of(path(name));
    const std::size_t trailer = bytes.rfind("POLYADCS");
    EXPECT_NE(trailer, std::string::npos);
    std::uint64_t offset = 0, count = 0;
    std::memcpy(&offset, bytes.data() + trailer + 8, 8);
    std::memcpy(&count, bytes.data() + trailer + 16, 8);
    return {offset, offset + count};
  }
  void damage(const std::string& name, std::size_t at) {
    std::string bytes = bytes_of(path(name));
    bytes.at(at) = static_cast<char>(bytes[at] ^ 0x55);
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
};

TEST_F(MappedTensor, SameBitsAndFactsAsRead) {
  for (const Tensor& x : {awkward_sparse(), awkward_sparse(Unlisted::missing), awkward_dense(true), weighted_sparse(),
                          weighted_dense(), thin_dense()}) {
    write_tensor(path("x.h5"), x);
    for (const Mapping mapping : {Mapping::always, Mapping::never}) {
      const Tensor y = read("x.h5", mapping);
      EXPECT_EQ(y.mapped(), mapping == Mapping::always);
      expect_same_tensor(y, x);
      ASSERT_NE(y.facts(), nullptr);
      EXPECT_EQ(x.facts(), nullptr);  // computed here, brought along there
      EXPECT_EQ(fingerprint(y), fingerprint(x));
      EXPECT_EQ(y.norm(), x.norm());
      EXPECT_EQ(y.observed(), x.observed());
      const ValueFacts a = value_facts(x), b = value_facts(y);
      EXPECT_EQ(a.least, b.least);
      EXPECT_EQ(a.greatest, b.greatest);
      EXPECT_EQ(a.mean, b.mean);
      EXPECT_EQ(a.observed, b.observed);
      EXPECT_EQ(a.zeros, b.zeros);
      EXPECT_EQ(a.negatives, b.negatives);
      EXPECT_EQ(a.whole, b.whole);
      EXPECT_EQ(a.binary, b.binary);
      if (x.dense() != nullptr) {
        EXPECT_EQ(std::vector(y.dense()->observed_list().begin(), y.dense()->observed_list().end()),
                  std::vector(x.dense()->observed_list().begin(), x.dense()->observed_list().end()));
      }
    }
  }
}

TEST_F(MappedTensor, NothingIsMappedOfATensorWithoutEntries) {
  write_tensor(path("x.h5"), SparseTensor(IndexSpace({3, 4}), Records(2)));
  expect_same_tensor(read("x.h5", Mapping::always), SparseTensor(IndexSpace({3, 4}), Records(2)));
}

TEST_F(MappedTensor, NumpyArraysToo) {
  write_tensor(path("x.npy"), awkward_dense(false));
  expect_same_tensor(mapped("x.npy"), read("x.npy", Mapping::never));
}

TEST_F(MappedTensor, TakesNextToNoMemory) {
  constexpr Index n = 1500000;
  {
    Records records(3);
    for (Index i = 0; i < n; ++i) {
      const Index cell[] = {i, i * 31 % 997, i % 7};
      records.append(cell, 0.5 + i);
    }
    const Tensor sparse = SparseTensor(IndexSpace({n, 997, 7}), std::move(records));
    const Tensor dense = DenseTensor(IndexSpace({n, 4}), AlignedVector<double>(4 * std::size_t{n}, 1.5));
    const double before = anonymous_memory();
    ASSERT_GT(before, 0);
    write_tensor(path("s.h5"), sparse);
    write_tensor(path("d.h5"), dense);
    EXPECT_LT(anonymous_memory() - before, 8e6) << "written from where the data are, not from a copy";
  }
  // What a draw needs to tell zeros from nonzeros is no file: here 6.4 bytes per entry of 24.
  for (const auto& [name, share] : {std::pair("s.h5", 0.35), std::pair("d.h5", 0.05)}) {
    const double file_bytes = static_cast<double>(std::filesystem::file_size(path(name)));
    const double before = anonymous_memory();
    const Tensor x = mapped(name);
    double sum = 0;  // touches every value
    for (std::uint64_t i = 0; i < (x.is_sparse() ? n : 4 * n); ++i) {
      sum += x.is_sparse() ? x.sparse()->records().value(i) : x.dense()->value(i);
    }
    EXPECT_GT(sum, 0);
    EXPECT_LT(anonymous_memory() - before, share * file_bytes) << name;
    // The measure itself would see a copy.
    const Tensor owned = read(name, Mapping::never);
    EXPECT_GT(anonymous_memory() - before, 0.9 * file_bytes) << name;
  }
}

TEST_F(MappedTensor, ChangesGoToACopy) {
  const Tensor x = awkward_sparse();
  write_tensor(path("x.h5"), x);
  const std::string bytes = bytes_of(path("x.h5"));
  Tensor changed = mapped("x.h5");
  const Tensor other = changed;
  Records gone(3);
  gone.append(x.sparse()->records().index(0), 1);
  changed.sparse()->set_missing(gone);
  EXPECT_EQ(changed.sparse()->listed() + 1, x.sparse()->listed());
  EXPECT_EQ(changed.facts(), nullptr);
  EXPECT_TRUE(other.mapped());
  expect_same_tensor(other, x);
  EXPECT_EQ(bytes_of(path("x.h5")), bytes);

  write_tensor(path("d.h5"), awkward_dense(false));
  Tensor dense = mapped("d.h5");
  const std::uint64_t cells[] = {0};
  dense.dense()->set_missing(cells);
  EXPECT_TRUE(dense.dense()->missing(0));
  EXPECT_FALSE(dense.mapped());
  EXPECT_EQ(dense.facts(), nullptr);
}

// The file may be replaced or removed: what is mapped stays, and can be written over the file it comes from.
TEST_F(MappedTensor, OutlivesTheFilesName) {
  write_tensor(path("x.h5"), awkward_sparse());
  const Tensor x = mapped("x.h5");
  write_tensor(path("x.h5"), x);
  expect_same_tensor(mapped("x.h5"), awkward_sparse());
  write_tensor(path("x.h5"), awkward_dense(true));
  expect_same_tensor(x, awkward_sparse());
  std::filesystem::remove(path("x.h5"));
  expect_same_tensor(x, awkward_sparse());
}

// The values of a mapped file are not read before they are used; everything else is compared with a checksum.
TEST_F(MappedTensor, DamageIsFoundWhereItCouldDoHarm) {
  using ::testing::HasSubstr;
  const auto error = [&](const std::string& name, Mapping mapping) -> std::string {
    try {
      read(name, mapping);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::data);
      return e.what();
    }
    return "";
  };
  write_tensor(path("d.h5"), weighted_dense());
  damage("d.h5", array_in("d.h5").first);
  EXPECT_EQ(error("d.h5", Mapping::always), "");
  EXPECT_THAT(error("d.h5", Mapping::never), HasSubstr("checksum"));
  EXPECT_THROW(inspect_file(path("d.h5"), with(Mapping::always)), Error);
  write_tensor(path("d.h5"), weighted_dense());
  damage("d.h5", array_in("d.h5").first - 1);  // HDF5's own structures
  EXPECT_THAT(error("d.h5", Mapping::always), HasSubstr("checksum"));

  write_tensor(path("s.h5"), weighted_sparse());
  damage("s.h5", array_in("s.h5").second - 29);  // the last of 32 bytes each: the highest byte of its first index
  EXPECT_THAT(error("s.h5", Mapping::always), HasSubstr("beyond the shape"));
}

}  // namespace
}  // namespace polyad
