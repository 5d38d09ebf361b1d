// Data that are the same in memory give the same bits, whatever they came from: by every loss, sampler, method, finish, update
// rule and precision (all_ways in metamorphic.hpp).

#include <gtest/gtest.h>
#include <polyad/base/error.hpp>

#include <conformance/guises.hpp>

namespace polyad::metamorphic {
namespace {

class SameData : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Every, SameData, testing::ValuesIn(all_ways()),
                         [](const auto& tested) { return test_name(tested.param.name); });

class SameSparseData : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Every, SameSparseData,
                         testing::ValuesIn(ways_where([](const Way& way) { return way.on_sparse; })),
                         [](const auto& tested) { return test_name(tested.param.name); });

/// Empty where the way does not serve these data, which must be said as a usage error.
std::optional<FitResult> fitted(const Way& way, const Tensor& tensor) {
  try {
    return fit(tensor, options_of(way));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
    return {};
  }
}

void expect_same_bits(const std::optional<FitResult>& one, const std::optional<FitResult>& other,
                      const std::string& what) {
  ASSERT_EQ(one.has_value(), other.has_value()) << what;
  if (!one) return;
  EXPECT_EQ(one->model, other->model) << what;
  EXPECT_EQ(one->estimate, other->estimate) << what;
  EXPECT_EQ(one->exact_loss, other->exact_loss) << what;
  EXPECT_EQ(one->best_start, other->best_start) << what;
  EXPECT_EQ(one->why, other->why) << what;
}

/// The cells without a fifth of them.
Cells with_holes(const Cells& cells, std::vector<std::vector<Index>>& holes) {
  Cells kept = cells;
  kept.index.clear();
  kept.x.clear();
  for (std::size_t t = 0; t < cells.x.size(); ++t) {
    if (t % 5 == 2) {
      holes.push_back(cells.index[t]);
    } else {
      kept.index.push_back(cells.index[t]);
      kept.x.push_back(cells.x[t]);
    }
  }
  return kept;
}

/// The cells that are left, with anything at all in the holes, which are declared missing afterwards.
Tensor hidden(const Way& way, const Cells& cells, const std::vector<std::vector<Index>>& holes) {
  const double anything[] = {-1e300, 0.5, 7, 1e-300, -3};  // mostly no data of any loss
  Cells filled = cells;
  Records missing(cells.shape.size());
  for (std::size_t n = 0; n < holes.size(); ++n) {
    filled.index.push_back(holes[n]);
    filled.x.push_back(anything[n % 5]);
    missing.append(holes[n].data(), 0.0);
  }
  Tensor tensor = tensor_of(way, filled);
  if (way.on_sparse) {
    tensor.sparse()->set_missing(missing);
  } else {
    std::vector<std::uint64_t> positions;
    for (const auto& index : holes) positions.push_back(tensor.dense()->position(index));
    tensor.dense()->set_missing(positions);
  }
  return tensor;
}

TEST_P(SameData, MissingCellsMayHoldAnything) {
  const Way& way = GetParam();
  std::vector<std::vector<Index>> holes;
  const Cells cells = with_holes(cells_for(parse_loss(way.loss)), holes);
  const auto plain = fitted(way, tensor_of(way, cells));
  expect_same_bits(plain, fitted(way, hidden(way, cells, holes)), way.name);
  // Weight 0 is another way to say it.
  Cells weightless = cells;
  weightless.w.assign(cells.x.size(), 1.0);
  for (const auto& index : holes) {
    weightless.index.push_back(index);
    weightless.x.push_back(1);
    weightless.w.push_back(0);
  }
  Cells ones = cells;
  ones.w.assign(cells.x.size(), 1.0);
  expect_same_bits(fitted(way, tensor_of(way, ones)), fitted(way, tensor_of(way, weightless)), way.name + ", weight 0");
}

// Records are kept by their index in the largest mode, and within that as they were given.
TEST_P(SameSparseData, EntriesMayComeInAnyOrderOfTheLargestMode) {
  const Way& way = GetParam();
  const Cells cells = cells_for(parse_loss(way.loss));
  Cells turned = cells;
  turned.index.clear();
  turned.x.clear();
  for (Index i = static_cast<Index>(cells.shape[0]); i-- > 0;) {
    for (std::size_t t = 0; t < cells.x.size(); ++t) {
      if (cells.index[t][0] != i) continue;
      turned.index.push_back(cells.index[t]);
      turned.x.push_back(cells.x[t]);
    }
  }
  ASSERT_NE(cells.index, turned.index);
  expect_same_bits(fitted(way, sparse(cells)), fitted(way, sparse(turned)), way.name);
}

TEST_P(SameData, LabelsAndWeightsOfOneChangeNothing) {
  const Way& way = GetParam();
  const Cells cells = cells_for(parse_loss(way.loss));
  const auto plain = fitted(way, tensor_of(way, cells));
  ASSERT_TRUE(plain.has_value());
  Tensor labelled = tensor_of(way, cells);
  Labels labels(cells.shape.size());
  for (std::size_t k = 0; k < cells.shape.size(); ++k) {
    labels.mode(k).name = fmt::format("mode {}", k);
    for (std::uint64_t i = 0; i < cells.shape[k]; ++i) labels.mode(k).entries.push_back(fmt::format("{}-{}", k, 9 - i));
  }
  labelled.set_labels(labels);
  expect_same_bits(plain, fitted(way, labelled), way.name + ", labels");
  Cells ones = cells;
  ones.w.assign(cells.x.size(), 1.0);
  const auto weighted = fitted(way, tensor_of(way, ones));
  if (options_of(way).method == "cp-als") {  // which solves weighted rows by equations of their own
    EXPECT_NEAR(*weighted->exact_loss, *plain->exact_loss, 1e-9 * std::abs(*plain->exact_loss)) << way.name;
    return;
  }
  expect_same_bits(plain, weighted, way.name + ", weights of 1");
}

}  // namespace
}  // namespace polyad::metamorphic
