// Block functions against the loss's own arithmetic, at every length around the width of vectors, in both precisions and
// on every instruction set.

#include <polyad/base/simd_target.hpp>
#include "each_simd_target.hpp"
#include "grids.hpp"

#include <gtest/gtest.h>

#include <set>

namespace polyad {
namespace {

using testing::data_values;
using testing::for_each_loss;
using testing::model_values;

struct Entries {
  std::vector<double> x, m;
};

Entries entries(const LossInfo& info, std::size_t n) {
  const auto xs = data_values(info.domain), ms = model_values(info.lower);
  Entries e;
  for (std::size_t t = 0; t < n; ++t) {
    e.x.push_back(xs[t % xs.size()]);
    e.m.push_back(ms[(t / 2 + t) % ms.size()] * (1 + 1e-3 * static_cast<double>(t)));
  }
  return e;
}

const std::vector<std::size_t> lengths = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 130};

TEST(Block, EqualsScalarArithmetic) {
  testing::for_each_simd_target([](SimdTarget) {
    for_each_loss([](const auto& math) {
      const Loss loss = Loss::of(math);
      for (const std::size_t n : lengths) {
        const auto [x, m] = entries(loss.info(), n);
        std::vector<double> f(n + 1, -1.0), df(n + 1, -1.0);
        loss.values(n, x.data(), m.data(), f.data());
        loss.derivatives(n, x.data(), m.data(), df.data());
        for (std::size_t t = 0; t < n; ++t) {
          // Vector functions may differ in their last digits, and a power goes through a logarithm.
          const double size = 1 + std::abs(x[t]) + std::abs(m[t]);
          const double value = math.value(x[t], m[t]), derivative = math.deriv(x[t], m[t]);
          EXPECT_NEAR(f[t], value, 1e-13 * (std::abs(value) + size)) << loss.spec() << " entry " << t << " of " << n;
          EXPECT_NEAR(df[t], derivative, 1e-13 * (std::abs(derivative) + size)) << loss.spec() << " entry " << t;
          // What an entry gives does not depend on where in a block it stands.
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
  });
}

TEST(Block, SinglePrecisionAgreesToSevenDigits) {
  testing::for_each_simd_target([](SimdTarget) {
    for_each_loss([](const auto& math) {
      const Loss loss = Loss::of(math);
      for (const std::size_t n : lengths) {
        const auto [x, m] = entries(loss.info(), n);
        const std::vector<float> x32(x.begin(), x.end()), m32(m.begin(), m.end());
        std::vector<float> f(n + 1, -1.0f), df(n + 1, -1.0f);
        loss.values(n, x32.data(), m32.data(), f.data());
        loss.derivatives(n, x32.data(), m32.data(), df.data());
        for (std::size_t t = 0; t < n; ++t) {
          const double size = 1 + std::abs(x[t]) + std::abs(m[t]);
          const double value = math.value(double{x32[t]}, double{m32[t]});
          const double derivative = math.deriv(double{x32[t]}, double{m32[t]});
          if (std::abs(value) < 1e37) {
            EXPECT_NEAR(f[t], value, 1e-5 * (std::abs(value) + size)) << loss.spec() << " x " << x[t] << " m " << m[t];
          }
          if (std::abs(derivative) < 1e37) {
            EXPECT_NEAR(df[t], derivative, 1e-5 * (std::abs(derivative) + size)) << loss.spec() << " m " << m[t];
          }
        }
        EXPECT_EQ(f[n], -1) << "wrote past the end";
        EXPECT_EQ(df[n], -1) << "wrote past the end";
      }
    });
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
