#include "temp_folder.hpp"
#include "tensors.hpp"

#include <polyad/base/error.hpp>
#include <polyad/io/numpy/numpy.hpp>
#include <polyad/io/open.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>

namespace polyad {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Shape = std::vector<std::uint64_t>;

class Npy : public TempFolder {
 protected:
  /// A file that numpy wrote.
  static std::string golden(const std::string& name) { return POLYAD_GOLDEN_DIR "/io/" + name + ".npy"; }
  std::string error(const std::string& path_of, const ReadOptions& options = {}) {
    return error_of([&] { read_tensor(path_of, options); }, ErrorKind::data);
  }
  std::string with_header(const std::string& dictionary, const std::string& data) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(dictionary.size() % 256);
    bytes += static_cast<char>(dictionary.size() / 256);
    return write("h.npy", bytes + dictionary + data);
  }
};

void expect_cells(const Tensor& x, const std::function<double(double)>& map) {
  ASSERT_NE(x.dense(), nullptr);
  ASSERT_EQ(x.space(), IndexSpace({2, 3, 4}));
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 3; ++j) {
      for (Index k = 0; k < 4; ++k) {
        const Index cell[] = {i, j, k};
        EXPECT_EQ(x.dense()->value(x.dense()->position(cell)), map(100 * i + 10 * j + k));
      }
    }
  }
}

TEST_F(Npy, EveryTypeEitherByteOrderAndBothLayouts) {
  const auto same = [](double v) { return v; };
  for (const char* type : {"f4", "f8", "i2", "i4", "i8", "u2", "u4", "u8"}) {
    SCOPED_TRACE(type);
    expect_cells(read_tensor(golden(std::string("le_") + type)), same);  // these are in Fortran order
    expect_cells(read_tensor(golden(std::string("be_") + type)), same);  // and these in C order
  }
  expect_cells(read_tensor(golden("u1")), same);
  expect_cells(read_tensor(golden("i1")), [](double v) { return std::fmod(v, 100); });
  expect_cells(read_tensor(golden("bool")), [](double v) { return std::fmod(v, 2); });
  expect_cells(read_tensor(golden("version2")), same);
  expect_cells(read_tensor(golden("version3")), same);
}

TEST_F(Npy, NanIsMissing) {
  Remarks remarks;
  const Tensor x = read_tensor(golden("one_mode"), {}, &remarks);
  EXPECT_EQ(x.space(), IndexSpace({3}));
  EXPECT_EQ(x.observed(), 2);
  EXPECT_TRUE(x.dense()->missing(1));
  EXPECT_THAT(remarks, ElementsAre("1 of 3 cells is missing (NaN)"));
}

TEST_F(Npy, RefusesWhatIsNoTensorOfNumbers) {
  EXPECT_THAT(error(golden("number")), HasSubstr("number.npy' holds a single number (a 0-d array), not a tensor"));
  EXPECT_THAT(error(golden("complex")),
              HasSubstr("holds complex numbers (dtype '<c16'); polyad reads f4, f8, integers"));
  EXPECT_THAT(error(golden("objects")), HasSubstr("holds Python objects (dtype '|O')"));
  EXPECT_THAT(error(golden("records")), HasSubstr("holds records with named fields"));
  EXPECT_THAT(error(golden("texts")), HasSubstr("holds texts (dtype '<U1')"));
  EXPECT_THAT(error(golden("half")), HasSubstr("holds floats of another size (dtype '<f2')"));
  EXPECT_THAT(error(golden("infinite")), HasSubstr("infinite.npy': cell (2, 2) (indices counted from 1) is inf"));
  EXPECT_THAT(error(golden("empty")), HasSubstr("mode 2 has extent 0"));
}

TEST_F(Npy, TruncatedOrTooLong) {
  const std::string whole = bytes_of(golden("be_f8"));
  EXPECT_THAT(error(write("t.npy", whole.substr(0, whole.size() - 5))),
              HasSubstr("is a truncated .npy file: an array of 2 x 3 x 4 has 192 bytes of data, the file has 187"));
  EXPECT_THAT(error(write("t.npy", whole + "more")),
              HasSubstr("is not one .npy array: an array of 2 x 3 x 4 has 192 bytes"));
  for (std::size_t size = 6; size < 128; ++size) {
    EXPECT_THAT(error(write("t.npy", whole.substr(0, size))), HasSubstr("ends within its header")) << size;
  }
}

TEST_F(Npy, OddHeaders) {
  const std::string data(16, '\0');
  EXPECT_EQ(read_tensor(with_header("{\"shape\":(1,2L),'fortran_order' : True,'descr':'<f8'}", data)).space(),
            IndexSpace({1, 2}));
  EXPECT_EQ(read_tensor(with_header("{'descr':'=f4','fortran_order':False,'shape':(4)}\n", data)).space(),
            IndexSpace({4}));
  for (const char* bad :
       {"", "{", "{}", "{'descr':'<f8'}", "{'descr':'<f8','fortran_order':Maybe,'shape':(2,)}",
        "{'descr':'<f8','fortran_order':True,'shape':(2,-1)}", "{'descr':'<f8','fortran_order':True,'shape':2}",
        "{'descr':'<f8','fortran_order':True,'shape':(2,)} x", "{'x':1,'descr':'<f8'}", "{'descr:'<f8'}",
        "{'descr':'<f8' 'shape':(2,)}"}) {
    EXPECT_THAT(error(with_header(bad, data)), HasSubstr("is a damaged .npy file: its header makes no sense")) << bad;
  }
  for (const char* type : {"", "f8", "<f", "<f16", "<i3", "<i16", "<i0", "|b2", "<x8", "<"}) {
    EXPECT_THAT(error(with_header(fmt::format("{{'descr':'{}','fortran_order':False,'shape':(2,)}}", type), data)),
                HasSubstr("polyad reads f4, f8, integers and booleans"))
        << type;
  }
  const std::string huge = "{'descr':'<f8','fortran_order':False,'shape':(4294967295,4294967295,4294967295)}";
  EXPECT_THAT(error(with_header(huge, data)), HasSubstr("cannot be held"));
  const std::string large = "{'descr':'<f8','fortran_order':False,'shape':(4294967295,1000)}";
  EXPECT_THAT(error(with_header(large, data)), HasSubstr("34359738360000 bytes of data, the file has 16"));
  EXPECT_THAT(error(write("v.npy", std::string("\x93NUMPY\x09\x00\x10\x00    ", 14))), HasSubstr("version 9"));
  EXPECT_THAT(error(write("v.npy", std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12))),
              HasSubstr("claims 4294967295 bytes"));
}

TEST_F(Npy, Options) {
  ReadOptions options;
  options.shape = Shape{2, 3, 4};
  options.unlisted = Unlisted::missing;
  options.base = 1;
  Remarks remarks;
  expect_cells(read_tensor(golden("le_f8"), options, &remarks), [](double v) { return v; });
  EXPECT_THAT(remarks, Contains(option_name("unlisted", "missing") + " has no effect: a dense file lists every cell"));
  EXPECT_THAT(remarks, Contains(option_name("base") + " has no effect: a dense file has no indices"));
  options.shape = Shape{4, 3, 2};
  EXPECT_THAT(error(golden("le_f8"), options), HasSubstr("holds a tensor of 2 x 3 x 4, but shape says 4 x 3 x 2"));
}

TEST_F(Npy, RoundTripIsExact) {
  for (const bool missing : {false, true}) {
    const Tensor x = awkward_dense(missing);
    write_tensor(path("x.npy"), x);
    expect_same_tensor(read_tensor(path("x.npy")), x);
  }
  const Tensor one_mode(DenseTensor(IndexSpace({3}), {1, 2, 3}));
  write_tensor(path("x.npy"), one_mode);
  expect_same_tensor(read_tensor(path("x.npy")), one_mode);
}

// numpy.load gave back the array from exactly these bytes.
TEST_F(Npy, BytesAsNumpyWritesThem) {
  AlignedVector<double> values;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 4; ++k) values.push_back(100 * i + 10 * j + k);
    }
  }
  write_tensor(path("x.npy"), DenseTensor(IndexSpace({2, 3, 4}), values));
  std::string numpy = bytes_of(golden("be_f8"));
  std::string header = numpy.substr(0, 128);
  header.replace(header.find('>'), 1, "<");
  EXPECT_EQ(bytes_of(path("x.npy")).substr(0, 128), header);
}

TEST_F(Npy, CannotHoldEverything) {
  EXPECT_THAT(error_of([&] { write_tensor(path("x.npy"), awkward_sparse()); }, ErrorKind::usage),
              HasSubstr("x.npy': .npy is for dense tensors and this one is sparse; write .tns or .h5 instead"));
  DenseTensor weighted(IndexSpace({2}), {1, 2});
  weighted.set_weights({1, 2});
  EXPECT_THAT(error_of([&] { write_tensor(path("x.npy"), weighted); }, ErrorKind::usage),
              HasSubstr("no place for weights"));
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace polyad
