#include "temp_folder.hpp"
#include "tensors.hpp"

#include <polyad/base/error.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>

#include <limits>

namespace polyad {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Entries = std::map<Cell, double>;

class Hdf5Tensor : public TempFolder {
 protected:
  static std::string golden(const std::string& name) { return POLYAD_GOLDEN_DIR "/io/" + name + ".h5"; }
  std::string error(const std::string& path_of, const ReadOptions& options = {}) {
    return error_of([&] { read_tensor(path_of, options); }, ErrorKind::data);
  }
  void expect_round_trip(const Tensor& x) {
    write_tensor(path("x.h5"), x);
    expect_same_tensor(read_tensor(path("x.h5")), x);
  }
};

Labels full_labels() {
  return Labels({{"day", {"Mo", "Tu"}}, {"", {"a", "", "Köln", "東京"}}, {"last", {}}});
}

TEST_F(Hdf5Tensor, SparseRoundTripIsExact) {
  expect_round_trip(awkward_sparse());
  expect_round_trip(awkward_sparse(Unlisted::missing));
  expect_round_trip(Tensor(SparseTensor(IndexSpace({3, 4}), Records(2))));
  expect_round_trip(Tensor(SparseTensor(IndexSpace(std::vector<std::uint64_t>(16, max_extent)), Records(16))));
  expect_round_trip(Tensor(SparseTensor(IndexSpace({7}), records_of(1, {{{6}, 2}, {{1}, 3}}))));
}

TEST_F(Hdf5Tensor, WeightsAndMasksOfSparseTensors) {
  SparseTensor x(IndexSpace({2, 4, 3}), records_of(3, {{{0, 1, 2}, 1.5}, {{1, 3, 0}, -2}, {{1, 0, 0}, 4}}));
  x.set_zero_weight(0.1);
  expect_round_trip({x, full_labels()});
  x.set_weights(records_of(3, {{{0, 1, 2}, 0.3}, {{0, 0, 0}, 7}, {{1, 0, 0}, 0}}));
  expect_round_trip({x, full_labels()});
  x.set_missing(records_of(3, {{{1, 1, 1}, 1}, {{0, 3, 2}, 1}}));
  EXPECT_EQ(x.missing_cells(), 3u);
  expect_round_trip({x, full_labels()});
  SparseTensor only_listed(IndexSpace({2, 2}), records_of(2, {{{0, 0}, 0}, {{1, 1}, 3}}), Unlisted::missing);
  only_listed.set_weights(records_of(2, {{{1, 1}, 2.5}}));
  expect_round_trip(only_listed);
}

TEST_F(Hdf5Tensor, DenseRoundTripIsExact) {
  expect_round_trip(awkward_dense(false));
  expect_round_trip(awkward_dense(true));
  DenseTensor weighted(IndexSpace({2, 4, 3}), AlignedVector<double>(24, 0.7));
  AlignedVector<double> weights(24, 1);
  weights[3] = 0;
  weights[4] = 1e-3;
  weighted.set_weights(weights);
  expect_round_trip({weighted, full_labels()});
}

TEST_F(Hdf5Tensor, LargeRoundTrip) {
  Records records(3);
  for (Index i = 0; i < 200000; ++i) {
    const Index cell[] = {i, i * 31 % 997, i % 7};
    records.append(cell, 0.001 * i + 1);
  }
  expect_round_trip(Tensor(SparseTensor(IndexSpace({200000, 997, 7}), std::move(records))));
}

TEST_F(Hdf5Tensor, Remarks) {
  SparseTensor x(IndexSpace({2, 2}), records_of(2, {{{0, 0}, 1}}));
  x.set_missing(records_of(2, {{{1, 1}, 1}}));
  write_tensor(path("x.h5"), x);
  Remarks remarks;
  ReadOptions options;
  read_tensor(path("x.h5"), options, &remarks);
  EXPECT_THAT(remarks, ElementsAre("1 cell is missing"));
  options.unlisted = Unlisted::missing;
  options.base = 0;
  EXPECT_EQ(read_tensor(path("x.h5"), options, &remarks).observed(), 1);
  EXPECT_THAT(remarks, Contains("unlisted cells are missing"));
  EXPECT_THAT(remarks, Contains(option_name("base") + " has no effect: the file states its indices exactly"));
  options.shape = {2, 3};
  EXPECT_THAT(error(path("x.h5"), options), HasSubstr("x.h5' holds a tensor of 2 x 2, but shape says 2 x 3"));
}

TEST_F(Hdf5Tensor, FilesThatH5pyWrote) {
  const Tensor sparse = read_tensor(golden("sparse"));
  EXPECT_EQ(sparse.space(), IndexSpace({3, 4}));
  EXPECT_EQ(entries_of(sparse), (Entries{{{0, 3}, 1.5}, {{2, 0}, 2}, {{2, 1}, -3}}));
  EXPECT_EQ(sparse.labels().mode(0), (ModeLabels{"day", {"Mo", "Di", "Mißttwoch"}}));
  const Tensor dense = read_tensor(golden("dense"));
  EXPECT_EQ(dense.space(), IndexSpace({2, 3, 4}));
  for (std::uint64_t cell = 0; cell < 24; ++cell) {
    EXPECT_EQ(dense.dense()->value(cell), 100 * (cell / 12) + 10 * (cell / 4 % 3) + cell % 4);
  }
  EXPECT_EQ(dense.labels().mode(1).entries, (std::vector<std::string>{"a", "bcd", "ef"}));
  const KTensor model = read_model(golden("model")).model;
  EXPECT_EQ(model.weights, (std::vector<double>{2, 3}));
  EXPECT_EQ(model.factors.at(0, 2, 1), 6);
  EXPECT_EQ(model.factors.at(1, 1, 0), 9);
}

TEST_F(Hdf5Tensor, SaysWhatAFileIsInstead) {
  ModelFile model;
  model.model = KTensor(Factors({2, 3}, 1));
  write_model(path("m.h5"), model);
  EXPECT_EQ(error(path("m.h5")),
            fmt::format("'{0}' holds a model, not a tensor; look at it with 'polyad show {0}'", path("m.h5")));
  write_tensor(path("t.h5"), awkward_sparse());
  EXPECT_EQ(error_of([&] { read_model(path("t.h5")); }, ErrorKind::data),
            fmt::format("'{0}' holds a tensor, not a model; 'polyad fit' makes models from tensors", path("t.h5")));
  EXPECT_THAT(error(golden("foreign")),
              HasSubstr("foreign.h5' is an HDF5 file of another program, not a polyad tensor"));
  EXPECT_THAT(error_of([&] { read_model(golden("foreign")); }, ErrorKind::data), HasSubstr("not a polyad model"));
}

TEST_F(Hdf5Tensor, EveryTruncationIsAnError) {
  write_tensor(path("x.h5"), awkward_sparse());
  const std::string whole = bytes_of(path("x.h5"));
  for (std::size_t size = 8; size + 24 < whole.size(); size += 1 + size / 50) {
    EXPECT_NE(error(write("cut.h5", whole.substr(0, size))), "") << size;
  }
}

TEST_F(Hdf5Tensor, EveryFlippedByteIsAnError) {
  write_tensor(path("x.h5"), {awkward_dense(true)});
  const std::string whole = bytes_of(path("x.h5"));
  for (std::size_t at = 0; at + 24 < whole.size(); at += 7) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    EXPECT_NE(error(write("bad.h5", bytes)), "") << at;
  }
  EXPECT_THAT(error(write("bad.h5", whole.substr(0, 500) + "x" + whole.substr(501))),
              HasSubstr("bad.h5' is damaged: its bytes do not agree with the checksum at its end"));
}

}  // namespace
}  // namespace polyad
