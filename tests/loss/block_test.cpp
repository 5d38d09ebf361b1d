// Block functions against the loss's own arithmetic, bit for bit, at every length around the width of
// vectors.

#include "grids.hpp"

#include <gtest/gtest.h>

#include <set>

namespace polyad {
namespace {

using testing::data_values;
using testing::for_each_loss;
using testing::model_values;

TEST(Block, EqualsScalarArithmetic) {
  for_each_loss([](const auto& math) {
    const Loss loss = Loss::of(math);
    const auto xs = data_values(loss.info().domain), ms = model_values(loss.info().lower);
    for (std::size_t n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 130}) {
      std::vector<double> x(n), m(n), f(n + 1, -1.0), df(n + 1, -1.0);
      for (std::size_t t = 0; t < n; ++t) {
        x[t] = xs[t % xs.size()];
        m[t] = ms[(t / 2 + t) % ms.size()] * (1 + 1e-3 * static_cast<double>(t));
      }
      loss.values(n, x.data(), m.data(), f.data());
      loss.derivatives(n, x.data(), m.data(), df.data());
      for (std::size_t t = 0; t < n; ++t) {
        EXPECT_EQ(f[t], math.value(x[t], m[t])) << loss.spec() << " entry " << t << " of " << n;
        EXPECT_EQ(df[t], math.deriv(x[t], m[t])) << loss.spec() << " entry " << t << " of " << n;
        EXPECT_EQ(f[t], loss.value(x[t], m[t]));
        EXPECT_EQ(df[t], loss.derivative(x[t], m[t]));
      }
      EXPECT_EQ(f[n], -1) << "wrote past the end";
      EXPECT_EQ(df[n], -1) << "wrote past the end";

      std::vector<double> over_m = m, over_x = x;
      loss.derivatives(n, x.data(), over_m.data(), over_m.data());
      loss.values(n, over_x.data(), m.data(), over_x.data());
      for (std::size_t t = 0; t < n; ++t) {
        EXPECT_EQ(over_m[t], df[t]) << loss.spec() << " in place of m";
        EXPECT_EQ(over_x[t], f[t]) << loss.spec() << " in place of x";
      }
    }
  });
}

TEST(Block, CopiesOutliveTheOriginal) {
  const Loss copy = [] {
    const Loss original = Loss::of(Huber{0.5});
    return Loss(original);
  }();
  EXPECT_EQ(copy.value(0, 2), 1.75);
  EXPECT_EQ(copy.spec(), "huber:delta=0.5");
}

TEST(List, NamesAreDistinctAndTextsGiven) {
  std::set<std::string_view> names;
  for (const Loss& loss : all_losses()) {
    EXPECT_TRUE(names.insert(loss.name()).second) << loss.name();
    EXPECT_FALSE(loss.info().formula.empty()) << loss.name();
    EXPECT_FALSE(loss.info().data.empty()) << loss.name();
    EXPECT_FALSE(loss.info().link.empty()) << loss.name();
    EXPECT_EQ(loss.parameters().size(), loss.parameter_help().size()) << loss.name();
    for (const auto& help : loss.parameter_help()) EXPECT_FALSE(help.empty()) << loss.name();
  }
  EXPECT_EQ(names.size(), std::tuple_size_v<AllLosses>);
}

}  // namespace
}  // namespace polyad
