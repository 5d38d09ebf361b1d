// Every format both ways, over one list: a new extension here is tested at once.

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

using ::testing::HasSubstr;

struct Format {
  std::string name;  // of a file
  bool dense;
  bool sparse;
  bool unlisted_missing;
  bool labels;
};

void PrintTo(const Format& format, std::ostream* out) {
  *out << format.name;
}

class EveryFormat : public TempFolder, public ::testing::WithParamInterface<Format> {
 protected:
  Tensor round_trip(const Tensor& x) {
    write_tensor(path(GetParam().name), x);
    EXPECT_EQ(what_file_holds(path(GetParam().name)), FileHolds::tensor);
    return read_tensor(path(GetParam().name));
  }
  Tensor labelled(Tensor x) {
    Labels labels(x.space().modes());
    if (GetParam().labels) {
      labels.mode(0) = {"Tag: Ü", {}};
      for (std::size_t i = 0; i < x.space().extent(0); ++i) {
        labels.mode(0).entries.push_back(i == 0 ? "東京, \"x\"" : i == 1 ? "𝄞" : fmt::format("nr {}", i));
      }
      labels.mode(2).name = "wide";
    }
    x.set_labels(labels);
    return x;
  }
};

TEST_P(EveryFormat, DenseRoundTripIsExact) {
  if (!GetParam().dense) return;  // not for dense tensors
  for (const bool missing : {false, true}) {
    const Tensor x = labelled(awkward_dense(missing));
    expect_same_tensor(round_trip(x), x);
  }
}

TEST_P(EveryFormat, SparseRoundTripIsExact) {
  if (!GetParam().sparse) return;  // not for sparse tensors
  const Tensor x = labelled(awkward_sparse());
  expect_same_tensor(round_trip(x), x);
  if (GetParam().unlisted_missing) {
    const Tensor y = labelled(awkward_sparse(Unlisted::missing));
    expect_same_tensor(round_trip(y), y);
  } else {
    EXPECT_THAT(error_of([&] { round_trip(awkward_sparse(Unlisted::missing)); }, ErrorKind::usage),
                HasSubstr("no place for cells that are missing; write .h5 instead"));
  }
}

TEST_P(EveryFormat, NothingListed) {
  if (!GetParam().sparse) return;  // not for sparse tensors
  const Tensor x(SparseTensor(IndexSpace({3, 4}), Records(2)));
  expect_same_tensor(round_trip(x), x);
}

TEST_P(EveryFormat, SixteenModes) {
  if (!GetParam().sparse) return;  // not for sparse tensors
  Records records(16);
  std::vector<Index> index(16);
  for (Index k = 0; k < 16; ++k) index[k] = k % 3;
  records.append(index.data(), 2.5);
  const Tensor x(SparseTensor(IndexSpace(std::vector<std::uint64_t>(16, 3)), std::move(records)));
  expect_same_tensor(round_trip(x), x);
}

TEST_P(EveryFormat, WeightsAreKeptOrRefused) {
  SparseTensor weighted(IndexSpace({2, 2}), records_of(2, {{{0, 0}, 1}}));
  weighted.set_zero_weight(0.5);
  if (GetParam().name.ends_with(".h5")) {
    expect_same_tensor(round_trip(weighted), weighted);
    return;
  }
  EXPECT_NE(error_of([&] { round_trip(weighted); }, ErrorKind::usage), "");
  EXPECT_EQ(files(), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, EveryFormat,
    ::testing::Values(Format{"x.h5", true, true, true, true}, Format{"x.tns", false, true, true, true},
                      Format{"x.tns.gz", false, true, true, true}, Format{"x.tns.zst", false, true, true, true},
                      Format{"x.tensor", true, true, false, false}, Format{"x.txt.zst", true, true, false, false},
                      Format{"x.npy", true, false, false, false}, Format{"x.npz", true, true, true, true},
                      Format{"x.mat", true, true, true, true}));

class EveryModelFormat : public TempFolder, public ::testing::WithParamInterface<std::string> {};

TEST_P(EveryModelFormat, RoundTripIsExact) {
  ModelFile file;
  Factors factors({5, 3, 1}, 3);
  double next = 0.1;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < factors.rows(k); ++i) {
      for (std::size_t j = 0; j < 3; ++j) factors.at(k, i, j) = next *= -1.7;
    }
  }
  factors.at(0, 0, 0) = 5e-324;
  file.model = KTensor(factors);
  file.model.weights = {1e300, 0, 2.5};
  const bool labels = GetParam() != "m.ktensor";
  file.labels = labels ? Labels({{"day", {"Mo", "Tü", "We", "Th", "Fr"}}, {"", {"a", "b", "c"}}, {}}) : Labels(3);
  write_model(path(GetParam()), file);
  EXPECT_EQ(what_file_holds(path(GetParam())), FileHolds::model);
  const ModelFile back = read_model(path(GetParam()));
  EXPECT_EQ(back.model, file.model);
  EXPECT_EQ(back.labels, file.labels);
  EXPECT_THAT(error_of([&] { read_tensor(path(GetParam())); }, ErrorKind::data), HasSubstr(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryModelFormat, ::testing::Values("m.h5", "m.npz", "m.mat", "m.ktensor"));

class MatFormat : public TempFolder {};

TEST_F(MatFormat, Version73RoundTrip) {
  const Tensor sparse = awkward_sparse();
  write_tensor(path("x.mat"), sparse, {.mat_version_73 = true});
  EXPECT_TRUE(bytes_of(path("x.mat")).starts_with("MATLAB 7.3"));
  expect_same_tensor(read_tensor(path("x.mat")), sparse);
  const Tensor dense = awkward_dense(true);
  write_tensor(path("y.mat"), dense, {.mat_version_73 = true});
  expect_same_tensor(read_tensor(path("y.mat")), dense);
}

}  // namespace
}  // namespace polyad
