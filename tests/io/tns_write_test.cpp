#include "temp_folder.hpp"
#include "tensors.hpp"

#include <polyad/base/error.hpp>
#include <polyad/io/open.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>

namespace polyad {
namespace {

using ::testing::HasSubstr;

class TnsWrite : public TempFolder {};

TEST_F(TnsWrite, TextIsAsPeopleWriteIt) {
  Labels labels(2);
  labels.mode(1).name = "hour";
  write_tensor(path("x.tns"),
               {SparseTensor(IndexSpace({3, 24}), records_of(2, {{{0, 23}, 5}, {{2, 0}, 0.1}})), labels});
  EXPECT_EQ(bytes_of(path("x.tns")), "# entries: 2\n# base: 1\n# mode 2: hour\n# shape: 3x24\n3 1 0.1\n1 24 5\n");
}

TEST_F(TnsWrite, RoundTripIsExact) {
  for (const Unlisted unlisted : {Unlisted::zero, Unlisted::missing}) {
    for (const char* name : {"x.tns", "x.tns.gz"}) {
      const Tensor x = awkward_sparse(unlisted);
      write_tensor(path(name), x);
      expect_same_tensor(read_tensor(path(name)), x);
    }
  }
  EXPECT_TRUE(bytes_of(path("x.tns.gz")).starts_with("\x1f\x8b"));
}

TEST_F(TnsWrite, LargeGzipRoundTrip) {
  Records records(2);
  for (Index i = 0; i < 300000; ++i) {
    const Index cell[] = {i, i % 1000};
    records.append(cell, 1 + (i % 77) * 0.001);
  }
  const Tensor x(SparseTensor(IndexSpace({300000, 1000}), std::move(records)));
  write_tensor(path("x.tns.gz"), x);
  expect_same_tensor(read_tensor(path("x.tns.gz")), x);
}

TEST_F(TnsWrite, NoEntries) {
  const Tensor x(SparseTensor(IndexSpace({3, 4}), Records(2)));
  write_tensor(path("x.tns"), x);
  expect_same_tensor(read_tensor(path("x.tns")), x);
}

TEST_F(TnsWrite, DenseListsNonzerosOrAllObserved) {
  write_tensor(path("x.tns"), DenseTensor(IndexSpace({2, 2}), {1, 0, 0, 4}));
  EXPECT_EQ(bytes_of(path("x.tns")), "# entries: 2\n# base: 1\n# shape: 2x2\n1 1 1\n2 2 4\n");
  write_tensor(path("x.tns"), DenseTensor(IndexSpace({2, 2}), {1, 0, std::nan(""), 4}));
  EXPECT_EQ(bytes_of(path("x.tns")),
            "# entries: 3\n# base: 1\n# unlisted: missing\n# shape: 2x2\n1 1 1\n1 2 0\n2 2 4\n");
  EXPECT_EQ(read_tensor(path("x.tns")).observed(), 3);
}

TEST_F(TnsWrite, RefusesWhatItWouldLose) {
  SparseTensor masked(IndexSpace({2, 2}), records_of(2, {{{0, 0}, 1}}));
  masked.set_missing(records_of(2, {{{1, 1}, 1}}));
  EXPECT_THAT(error_of([&] { write_tensor(path("x.tns"), masked); }, ErrorKind::usage),
              HasSubstr("x.tns': .tns has no place for a list of missing cells; write .h5 instead"));
  SparseTensor weighted(IndexSpace({2, 2}), records_of(2, {{{0, 0}, 1}}));
  weighted.set_zero_weight(0.1);
  EXPECT_THAT(error_of([&] { write_tensor(path("x.tns"), weighted); }, ErrorKind::usage),
              HasSubstr("no place for weights"));
  EXPECT_EQ(files(), 0u);
}

TEST_F(TnsWrite, ModeNamesCannotBreakTheFile) {
  Labels labels(1);
  labels.mode(0).name = "a\n1 1\r";
  write_tensor(path("x.tns"), {SparseTensor(IndexSpace({3}), records_of(1, {{{2}, 5}})), labels});
  EXPECT_EQ(read_tensor(path("x.tns")).labels().mode(0).name, "a\n1 1\r");
}

TEST_F(TnsWrite, LabelsComeBackWithTheirBlanksAndQuotes) {
  Labels labels(1);
  labels.mode(0).name = "\t tab ";
  labels.mode(0).entries = {" x", "x ", "x", "\"x\"", "", " ", "quoted", "a\r\nb", "# label 1 1: y", "\u00a0ü "};
  const Tensor x(SparseTensor(IndexSpace({10}), records_of(1, {{{2}, 5}})), labels);
  write_tensor(path("x.tns"), x);
  EXPECT_EQ(read_tensor(path("x.tns")).labels(), labels);
}

TEST_F(TnsWrite, NegativeZeroIsListed) {
  write_tensor(path("x.tns"), Tensor(DenseTensor(IndexSpace({3}), {-0.0, 0.0, 2})));
  EXPECT_EQ(bytes_of(path("x.tns")), "# entries: 2\n# base: 1\n# shape: 3\n1 -0\n3 2\n");
}

TEST_F(TnsWrite, TheExtensionGivesTheFormat) {
  const Tensor x(DenseTensor(IndexSpace({2}), {1, 2}));
  for (const char* name : {"x", "x.doc", "tns"}) {
    EXPECT_THAT(error_of([&] { write_tensor(path(name), x); }, ErrorKind::usage),
                HasSubstr("the extension gives the format; for a tensor use .h5"));
  }
  EXPECT_THAT(error_of([&] { write_tensor(path("no/x.tns"), x); }, ErrorKind::file), HasSubstr("does not exist"));
}

}  // namespace
}  // namespace polyad
