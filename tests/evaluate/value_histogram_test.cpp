#include <polyad/base/json_value.hpp>
#include <polyad/evaluate.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace polyad {
namespace {

using Bars = std::vector<std::pair<std::string, double>>;

Bars bars_of(const Tensor& tensor) {
  Bars out;
  double total = 0;
  for (const HistogramBar& bar : value_histogram(tensor, value_facts(tensor))) {
    out.emplace_back(bar.label, bar.count);
    total += bar.count;
  }
  EXPECT_EQ(total, tensor.observed()) << "every observed cell is in one bar";
  return out;
}

Tensor dense_of(AlignedVector<double> values) {
  const std::uint64_t n = values.size();
  return DenseTensor(IndexSpace({n}), std::move(values));
}

TEST(ValueHistogram, CountsWithImplicitZeros) {
  Records records(2);
  Index i = 0;
  for (const double value : {1.0, 1.0, 9.0, 10.0, 99.0, 100.0, 2.0}) {
    const Index cell[] = {i++, 0};
    records.append(cell, value);
  }
  const Tensor x(SparseTensor(IndexSpace({10, 10}), std::move(records)));
  EXPECT_EQ(bars_of(x), (Bars{{"0", 93}, {"1", 2}, {"2", 1}, {"9", 1}, {"10 to 99", 2}, {"100 to 999", 1}}));
}

TEST(ValueHistogram, MeasurementsByTens) {
  EXPECT_EQ(bars_of(dense_of({0, 0.05, 0.5, 5, 0.02, std::nan("")})),
            (Bars{{"0", 1}, {"0.01 to 0.1", 2}, {"0.1 to 1", 1}, {"1 to 10", 1}}));
}

TEST(ValueHistogram, EitherSign) {
  EXPECT_EQ(bars_of(dense_of({-5, 5, 4.9, 0.5})), (Bars{{"-5 to -4", 1}, {"0 to 1", 1}, {"4 to 5", 2}}));
}

TEST(ValueHistogram, OneValueOnly) {
  EXPECT_EQ(bars_of(dense_of({2.5, 2.5})), (Bars{{"2.5", 2}}));
  EXPECT_TRUE(bars_of(dense_of({std::nan("")})).empty());
}

TEST(ValueHistogram, ExtremesOfDouble) {
  bars_of(dense_of({5e-324, 1.7e308}));
  bars_of(dense_of({-1.7e308, 1.7e308, 0}));
}

TEST(TensorAsJson, SaysWhatIsThere) {
  Records records(2);
  records.append({0, 1}, 3);
  records.append({4, 0}, 1);
  const Tensor x = Tensor::from_records({5, 2}, records, {.labels = Labels({{"day", {}}, {"shop", {"a", "b"}}})});
  const Json shown = Json::parse(json_text(x));
  EXPECT_EQ(shown["shape"], Json({5, 2}));
  EXPECT_EQ(shown["storage"], "sparse");
  EXPECT_EQ(shown["listed"], 2);
  EXPECT_EQ(shown["zeros"], 8);
  EXPECT_EQ(shown["greatest"], 3);
  EXPECT_EQ(shown["modes"][1]["name"], "shop");
  EXPECT_EQ(shown["modes"][1]["labelled"], true);
  EXPECT_EQ(shown["histogram"][0], Json({{"values", "0"}, {"cells", 8}}));
  EXPECT_EQ(shown["losses"][0]["loss"], "poisson");
}

}  // namespace
}  // namespace polyad
