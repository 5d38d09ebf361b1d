// Data, weights and sizes within a loss may be in any unit: multiplied by a power of two the model is multiplied too, to the
// last bit, and no decision changes.

#include <polyad/base/error.hpp>
#include "metamorphic.hpp"

#include <gmock/gmock.h>

namespace polyad {
namespace {

using namespace metamorphic;

std::string file_name(const testing::TestParamInfo<Way>& info) {
  std::string name;
  for (const char c : info.param.name) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

class Units : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Every, Units, testing::ValuesIn(all_ways()), file_name);
class DataUnits : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Every, DataUnits, testing::ValuesIn(ways_where([](const Way& w) {
                           return parse_loss(w.loss).info().units.any();
                         })),
                         file_name);

void expect_same_but_for_unit(const FitResult& one, const FitResult& other, double unit, const std::string& what) {
  ASSERT_TRUE(one.model.factors == other.model.factors) << what;
  for (std::size_t j = 0; j < one.model.rank(); ++j) {
    EXPECT_EQ(one.model.weights[j] * unit, other.model.weights[j]) << what;
  }
  EXPECT_EQ(one.best_start, other.best_start) << what;
  EXPECT_EQ(one.why, other.why) << what;
  for (std::size_t n = 0; n < one.starts.size(); ++n) {
    EXPECT_EQ(one.starts[n].trace.size(), other.starts[n].trace.size()) << what;
  }
}

TEST_P(DataUnits, OfTheDataDoNotMatter) {
  const Way& way = GetParam();
  const Loss loss = parse_loss(way.loss);
  const Cells cells = cells_for(loss);
  const FitResult plain = fit(tensor_of(way, cells), options_of(way));
  for (const int power : {-30, -10, 1, 20}) {
    const double unit = std::ldexp(1.0, power);
    Cells scaled = cells;
    for (double& x : scaled.x) x *= unit;
    FitOptions options = options_of(way);
    if (way.loss == "huber") options.loss = fmt::format("huber:delta={}", unit);
    const FitResult other = fit(tensor_of(way, scaled), options);
    expect_same_but_for_unit(plain, other, unit, fmt::format("{} times 2^{}", way.name, power));
    const double size = std::pow(unit, loss.info().units.degree);
    // What no model can change is left out: differences of objectives scale.
    const auto gain = [](const FitResult& r) {
      return r.starts[0].trace.front().estimate - r.starts[0].trace.back().estimate;
    };
    EXPECT_NEAR(gain(other), size * gain(plain),
                1e-9 * std::abs(size * plain.starts[0].trace.front().estimate) +
                    1e-9 * std::abs(other.starts[0].trace.front().estimate));
  }
}

TEST_P(Units, OfTheWeightsDoNotMatter) {
  const Way& way = GetParam();
  Cells cells = cells_for(parse_loss(way.loss));
  for (std::size_t t = 0; t < cells.x.size(); ++t) cells.w.push_back(t % 3 == 0 ? 2.0 : 1.0);
  const FitOptions options = options_of(way);
  const FitResult plain = fit(tensor_of(way, cells), options);
  for (const int power : {-30, 7, 20}) {
    const double unit = std::ldexp(1.0, power);
    Cells scaled = cells;
    for (double& w : scaled.w) w *= unit;
    scaled.zero_weight = unit;
    const FitResult other = fit(tensor_of(way, scaled), options);
    expect_same_but_for_unit(plain, other, 1, fmt::format("{}, weights times 2^{}", way.name, power));
    EXPECT_NEAR(other.estimate, unit * plain.estimate, 1e-12 * unit * std::abs(plain.estimate));
  }
}

}  // namespace
}  // namespace polyad
