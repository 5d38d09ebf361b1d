// Data that lie in the caller's memory, at any address, are fitted as those that the tensor owns.

#include "fit/cells.hpp"

#include <polyad/fit.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace polyad {
namespace {

const std::vector<std::uint64_t> shape = {9, 7, 5};

std::vector<double> some_values() {
  const KTensor truth = cells::some_model(shape, 2, 3, 0.0);
  std::vector<double> values;
  cells::for_each(shape, [&](const std::vector<Index>& index) {
    values.push_back(cells::value_of(truth, index) + 0.01 * static_cast<double>(values.size() % 7));
  });
  return values;
}

class Borrowed : public testing::TestWithParam<const char*> {};

TEST_P(Borrowed, AtAnOddAddressGivesTheSameBits) {
  std::vector<double> values = some_values();
  if (std::string(GetParam()) != "cp-als") values[11] = std::nan("");  // missing, which cp-als does not take
  const AlignedVector<double> aligned(values.begin(), values.end());
  const Tensor owned(DenseTensor(IndexSpace(shape), aligned));
  FitOptions options;
  options.rank = 2;
  options.loss = "gaussian";
  options.starts = 1;
  set_option(options, "method", GetParam());
  if (options.method == "gcp-sgd") {
    options.schedule.epochs = 2;
    options.schedule.epoch_iterations = 100;
  }
  const FitResult expected = fit(owned, options);
  for (const std::size_t offset : {0, 1, 3}) {
    AlignedVector<double> elsewhere(offset, 0.0);
    elsewhere.insert(elsewhere.end(), values.begin(), values.end());
    const Tensor borrowed = Tensor::borrowed(shape, std::span<const double>(elsewhere).subspan(offset));
    EXPECT_EQ(fit(borrowed, options).model, expected.model) << "offset " << offset;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Borrowed, testing::Values("gcp-sgd", "gcp-full", "cp-als"), [](const auto& method) {
  std::string name = method.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace polyad
