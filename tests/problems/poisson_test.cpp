#include "problems/helpers.hpp"

#include <polyad/problems/ingredients.hpp>

#include <cmath>

namespace polyad {
namespace {

using namespace testing;

/// Compares the sums over every slice of every mode with the model's; counts are independent, so each mode's
/// chi-square has as many degrees of freedom as slices.
void expect_slices_follow(const Problem& p) {
  const SparseTensor& x = *p.tensor.sparse();
  const IndexSpace& space = x.space();
  std::vector<std::vector<double>> seen, expected;
  for (std::size_t k = 0; k < space.modes(); ++k) {
    seen.emplace_back(space.extent(k), 0.0);
    expected.emplace_back(space.extent(k), 0.0);
  }
  double chi2_cells = 0, cells = 0;
  for_each_cell(space, [&](const std::vector<Index>& index) {
    const double m = model_value(p.truth, index);
    const double value = sparse_value(x, index);
    for (std::size_t k = 0; k < space.modes(); ++k) {
      seen[k][index[k]] += value;
      expected[k][index[k]] += m;
    }
    // Cell by cell: variance of (x-m)^2 is 2m^2 + m.
    chi2_cells += ((value - m) * (value - m) - m) / std::sqrt(2 * m * m + m);
    ++cells;
  });
  EXPECT_LT(std::abs(chi2_cells) / std::sqrt(cells), 4.5);
  for (std::size_t k = 0; k < space.modes(); ++k) {
    double chi2 = 0;
    for (std::size_t i = 0; i < seen[k].size(); ++i) {
      chi2 += (seen[k][i] - expected[k][i]) * (seen[k][i] - expected[k][i]) / expected[k][i];
    }
    const auto n = static_cast<double>(seen[k].size());
    EXPECT_NEAR(chi2, n, 5 * std::sqrt(2 * n)) << "mode " << k;
  }
}

double sum_of(const SparseTensor& x) {
  double sum = 0;
  for (std::size_t record = 0; record < x.listed(); ++record) sum += x.records().value(record);
  return sum;
}

TEST(Poisson, EventsFollowTheModel) {
  const Problem p = make_poisson({.shape = "60x50x40", .rank = 3, .total = 50000.0, .seed = 3});
  expect_slices_follow(p);
  EXPECT_NEAR(sum_of(*p.tensor.sparse()), 50000, 4 * std::sqrt(50000.0));
  EXPECT_NEAR(model_total(p.truth), 50000, 1e-6);
}

TEST(Poisson, ManyCountsACellFollowTheModelToo) {
  const Problem p = make_poisson({.shape = "30x20x10", .rank = 3, .total = 80000.0, .seed = 4});
  expect_slices_follow(p);
  EXPECT_NEAR(sum_of(*p.tensor.sparse()), 80000, 4 * std::sqrt(80000.0));
}

TEST(Poisson, DensityIsMet) {
  for (const double density : {0.001, 0.01, 0.3}) {
    const Problem p = make_poisson({.shape = "200x100x60", .rank = 4, .density = density, .seed = 5});
    EXPECT_NEAR(static_cast<double>(p.tensor.sparse()->listed()) / 1.2e6 / density, 1, 0.06) << density;
  }
}

TEST(Poisson, SameForAnyNumberOfThreadsAndDifferentForOtherSeeds) {
  PoissonOptions options{.shape = "90x80x70", .total = 300000.0, .missing = 0.1, .seed = 6};
  const Problem one = make_poisson(options, 1);
  const Problem many = make_poisson(options, 3);
  EXPECT_EQ(one.truth, many.truth);
  expect_same_records(one.tensor.sparse()->records(), many.tensor.sparse()->records());
  expect_same_records(one.hidden, many.hidden);
  options.seed = 7;
  EXPECT_NE(make_poisson(options, 1).truth, one.truth);
}

TEST(Poisson, HiddenCellsLeaveTheListAndKeepTheirCounts) {
  PoissonOptions options{.shape = "40x30x20", .rank = 2, .total = 12000.0, .seed = 9};
  const Problem whole = make_poisson(options);
  options.missing = 0.2;
  const Problem holed = make_poisson(options);
  ASSERT_EQ(holed.hidden.size(), 4800u);
  const SparseTensor& x = *holed.tensor.sparse();
  EXPECT_EQ(x.observed(), 24000 - 4800);
  std::size_t hidden_nonzeros = 0;
  for (std::size_t record = 0; record < holed.hidden.size(); ++record) {
    const std::vector<Index> index(holed.hidden.index(record), holed.hidden.index(record) + 3);
    EXPECT_TRUE(x.is_missing(index.data()));
    EXPECT_EQ(x.find(index.data()), CellSet::absent);
    EXPECT_EQ(holed.hidden.value(record), sparse_value(*whole.tensor.sparse(), index));
    hidden_nonzeros += holed.hidden.value(record) != 0;
  }
  EXPECT_EQ(x.listed() + hidden_nonzeros, whole.tensor.sparse()->listed());
  EXPECT_NEAR(static_cast<double>(hidden_nonzeros) / static_cast<double>(whole.tensor.sparse()->listed()), 0.2, 0.03);
}

TEST(Poisson, VastSpacesNeedNoMoreThanTheirEvents) {
  const Problem p = make_poisson({.shape = "100000x100000x100000x100000", .rank = 2, .total = 1000.0});
  EXPECT_NEAR(sum_of(*p.tensor.sparse()), 1000, 5 * std::sqrt(1000.0));
}

TEST(Poisson, BadOptionsAreRefused) {
  expect_usage_error([] { make_poisson({.total = 10.0, .density = 0.1}); }, "both given");
  expect_usage_error([] { make_poisson({.total = -1.0}); }, "total must be above 0");
  expect_usage_error([] { make_poisson({.shape = "100000x100000x10", .total = 2e9}); }, "more than");
  expect_usage_error([] { make_poisson({.shape = "100000x100000", .total = 10.0, .missing = 0.5}); },
                     "hide a smaller fraction");
}

}  // namespace
}  // namespace polyad
