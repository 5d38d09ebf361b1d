#include "temp_folder.hpp"
#include "tensors.hpp"

#include <polyad/base/error.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>

namespace polyad {
namespace {

using ::testing::HasSubstr;
using Entries = std::map<Cell, double>;

class ToolboxText : public TempFolder {
 protected:
  std::string error(const std::string& text) {
    return error_of([&] { read_tensor(write("x.txt", text)); }, ErrorKind::data);
  }
};

// As export_data of the Tensor Toolbox writes them: blanks at line ends, %.16e numbers.
TEST_F(ToolboxText, FilesOfTheToolbox) {
  const Tensor dense = read_tensor(write(
      "d", "tensor\n3 \n2 3 2 \n" + [] {
        std::string text;
        for (int i = 1; i <= 12; ++i) text += fmt::format("{:.16e}\n", double(i));
        return text;
      }()));
  EXPECT_EQ(dense.space(), IndexSpace({2, 3, 2}));
  // Counted along the first mode first: cell (i, j, k) holds 1 + i + 2 j + 6 k.
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 3; ++j) {
      for (Index k = 0; k < 2; ++k) {
        const Index cell[] = {i, j, k};
        EXPECT_EQ(dense.dense()->value(dense.dense()->position(cell)), 1 + i + 2 * j + 6 * k);
      }
    }
  }
  const Tensor sparse =
      read_tensor(write("s", "sptensor\n3 \n4 5 6 \n2 \n1 2 3 1.5000000000000000e+00\n4 5 6 -2e-3\n"));
  EXPECT_EQ(sparse.space(), IndexSpace({4, 5, 6}));
  EXPECT_EQ(entries_of(sparse), (Entries{{{0, 1, 2}, 1.5}, {{3, 4, 5}, -2e-3}}));
}

TEST_F(ToolboxText, MatricesOfBothToolboxes) {
  const Tensor matlab = read_tensor(write("m", "matrix\n2 \n2 3 \n1\n2\n3\n4\n5\n6\n"));
  const Tensor python = read_tensor(write("p", "matrix\n2\n2 3\n1 3 5\n2 4 6\n"));
  expect_same_tensor(matlab, python);
  EXPECT_THAT(std::vector<double>(matlab.dense()->values().begin(), matlab.dense()->values().end()),
              ::testing::ElementsAre(1, 3, 5, 2, 4, 6));
}

TEST_F(ToolboxText, Models) {
  const ModelFile file =
      read_model(write("k",
                       "ktensor\n3 \n2 1 3 \n2 \n2.5 1 \nmatrix\n2 \n2 2 \n1 2 \n3 4 \nmatrix\n2 \n1 2 "
                       "\n5 6 \nmatrix\n2 \n3 2 \n7 8 \n9 10 \n11 12 \n"));
  EXPECT_EQ(file.model.weights, (std::vector<double>{2.5, 1}));
  EXPECT_EQ(file.model.factors.at(0, 1, 0), 3);
  EXPECT_EQ(file.model.factors.at(2, 1, 1), 10);
  const Index cell[] = {1, 0, 2};
  EXPECT_EQ(value_at(file.model, cell), 2.5 * 3 * 5 * 11 + 4 * 6 * 12);
}

TEST_F(ToolboxText, Errors) {
  EXPECT_THAT(error("tensor\n2\n2 2\n1\n2\n3\n"), HasSubstr("ends where a value should follow; is it cut short?"));
  EXPECT_THAT(error("tensor\n2\n2 2\n1\n2\n3\n4\n5\n"), HasSubstr("x.txt:8: '5' stands where the end of the file"));
  EXPECT_THAT(error("tensor\n2\n2 two\n1\n"), HasSubstr("x.txt:3: 'two' stands where an extent should be"));
  EXPECT_THAT(error("tensor\n17\n"), HasSubstr("x.txt:2: '17' stands where a number of modes from 1 to 16"));
  EXPECT_THAT(error("tensor\n3\n4000000000 4000000000 4000000000\n1\n"), HasSubstr("cannot be held"));
  EXPECT_THAT(error("tensor\n2\n4000000000 4000\n1\n"), HasSubstr("of memory"));
  EXPECT_THAT(error("sptensor\n2\n2 2\n3\n1 1 1\n2 2 1\n"), HasSubstr("announces 3 entries, the file has 2"));
  EXPECT_THAT(error("sptensor\n2\n2 2\n1\n3 1 1\n"), HasSubstr("x.txt:5: field 1: index 3 is beyond the extent 2"));
  EXPECT_THAT(error("matrix\n3\n2 2 2\n"), HasSubstr("2, the number of a matrix's modes"));
  EXPECT_THAT(error("ktensor\n1\n2\n1\n1\nmatrix\n2\n2 1\n1\n2\n"), HasSubstr("holds a model"));
  const auto model_error = [&](const std::string& text) {
    return error_of([&] { read_model(write("k.txt", text)); }, ErrorKind::data);
  };
  EXPECT_THAT(model_error("ktensor\n1\n2\n1\n1\nmatrix\n2\n3 1\n1\n2\n3\n"),
              HasSubstr("3 x 1 where 2 x 1 is expected"));
  EXPECT_THAT(model_error("ktensor\n1\n2\n0\n"), HasSubstr("a rank of at least 1"));
  EXPECT_THAT(model_error("tensor\n1\n2\n1\n2\n"), HasSubstr("holds a tensor, not a model"));
}

// A row of a matrix is a line; a million columns make one of megabytes.
TEST_F(ToolboxText, LongLinesAreRead) {
  std::string text = "matrix\n2\n2 1500000\n";
  for (int i = 0; i < 3000000; ++i) text += i % 1500000 == 1499999 ? "1\n" : "0.5 ";
  const Tensor x = read_tensor(write("x", text));
  EXPECT_EQ(x.space(), IndexSpace({2, 1500000}));
  EXPECT_EQ(x.dense()->value(1499999), 1);
  EXPECT_EQ(x.dense()->value(1500000), 0.5);
}

TEST_F(ToolboxText, AValueThatIsCutIsRefused) {
  EXPECT_THAT(error("tensor\n1\n2\n1\n23"), HasSubstr("ends within its last line; is it cut short?"));
}

}  // namespace
}  // namespace polyad
