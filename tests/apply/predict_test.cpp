// Predictions against the model cell by cell, and against data that were hidden.

#include "fit/cells.hpp"

#include <polyad/apply/predict.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace polyad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ModelFile file_of(const char* loss) {
  ModelFile file;
  file.model = cells::some_model({3, 4, 2}, 2, 8, 0.1);
  file.options->json["loss"] = loss;
  file.labels = Labels({{"user", {"ann", "bob", "cy"}}, {"film", {"f1", "f2", "f3", "f4"}}, {"year", {}}});
  return file;
}

Records all_cells() {
  Records cells(3);
  cells::for_each({3, 4, 2}, [&](const std::vector<Index>& index) { cells.append(index.data(), std::nan("")); });
  return cells;
}

TEST(Predict, ExpectsWhatTheLossMakesOfTheModelsValue) {
  for (const char* name : {"poisson", "bernoulli-odds", "gaussian", "negative-binomial:r=3", "rayleigh", "huber"}) {
    const ModelFile file = file_of(name);
    const Predictor predictor(file, {});
    const Predictions found = predictor.predict(all_cells());
    for (std::size_t t = 0; t < 24; ++t) {
      const std::vector<Index> index(found.cells.index(t), found.cells.index(t) + 3);
      const double m = cells::value_of(file.model, index);
      const std::string_view loss = predictor.loss().name();
      const double mean = loss == "bernoulli-odds" ? m / (1 + m) : loss == "negative-binomial" ? 3 * m : m;
      EXPECT_NEAR(found.expected[t], mean, 1e-8 * (1 + mean)) << name;
    }
    EXPECT_EQ(found.low.empty(), !predictor.has_intervals());
  }
}

TEST(Predict, SaysWhyThereAreNoIntervals) {
  const ModelFile huber = file_of("huber"), gaussian = file_of("gaussian");
  EXPECT_THAT(Predictor(huber, {}).why_no_intervals(), HasSubstr("huber has no likelihood"));
  EXPECT_THAT(Predictor(gaussian, {}).why_no_intervals(), HasSubstr("give `scale`"));
  PredictOptions options;
  options.scale = 2;
  const Predictions found = Predictor(gaussian, options).predict(all_cells());
  EXPECT_NEAR(found.high[0] - found.expected[0], 2 * 1.6448536, 1e-6);
  EXPECT_NEAR(found.expected[0] - found.low[0], 2 * 1.6448536, 1e-6);
  // The same scale from what a fit leaves in its file.
  ModelFile fitted = file_of("gaussian");
  fitted.diagnostics->json["loss"] = 400.0;
  fitted.diagnostics->json["best-loss"] = 0.0;
  fitted.diagnostics->json["observed-cells"] = 100;
  EXPECT_NEAR(*Predictor(fitted, {}).scale(), 2, 1e-12);
  const ModelFile poisson = file_of("poisson");
  EXPECT_THROW(Predictor(poisson, options), Error);
}

TEST(Predict, TheTopCellsAreThoseOfASort) {
  const ModelFile file = file_of("poisson");
  const Predictor predictor(file, {});
  const Predictions all = predictor.predict(all_cells());
  Records seen(3);
  seen.append({1, 2, 0}, 1);
  const Tensor data = SparseTensor(IndexSpace({3, 4, 2}), std::move(seen));
  std::vector<std::pair<double, std::vector<Index>>> expected;
  for (std::size_t t = 0; t < 24; ++t) {
    const std::vector<Index> index(all.cells.index(t), all.cells.index(t) + 3);
    if (index[0] == 1 && index != std::vector<Index>{1, 2, 0}) expected.emplace_back(-all.expected[t], index);
  }
  std::ranges::sort(expected);
  const Predictions top = top_cells(predictor, {.count = 5, .held = {"user=bob"}, .seen = &data});
  ASSERT_EQ(top.cells.size(), 5u);
  for (std::size_t t = 0; t < 5; ++t) {
    EXPECT_EQ(std::vector<Index>(top.cells.index(t), top.cells.index(t) + 3), expected[t].second);
    EXPECT_DOUBLE_EQ(top.expected[t], -expected[t].first);
  }
  EXPECT_EQ(top_cells(predictor, {.count = 100, .held = {"user=bob", "year=2"}}).cells.size(), 4u);
  EXPECT_THROW(top_cells(predictor, {.count = 1, .held = {"user=dora"}}), Error);
  EXPECT_THROW(top_cells(predictor, {.count = 1, .held = {"year=3"}}), Error);
  EXPECT_THROW(top_cells(predictor, {.count = 1, .held = {"user=bob", "user=ann"}}), Error);
}

TEST(Predict, MissingCellsAreFilledInAndOthersStay) {
  const ModelFile file = file_of("poisson");
  const Predictor predictor(file, {});
  AlignedVector<double> values(24, 3.0);
  values[5] = values[17] = std::nan("");
  const Tensor dense(DenseTensor(IndexSpace({3, 4, 2}), std::move(values)), file.labels);
  const Tensor filled = fill_missing(predictor, dense);
  const Predictions all = predictor.predict(all_cells());
  for (std::uint64_t t = 0; t < 24; ++t) {
    EXPECT_EQ(filled.dense()->value(t), t == 5 || t == 17 ? all.expected[t] : 3.0);
  }
  EXPECT_EQ(filled.labels(), file.labels);

  Records listed(3), missing(3);
  listed.append({0, 0, 0}, 7);
  missing.append({2, 3, 1}, 0);
  SparseTensor sparse(IndexSpace({3, 4, 2}), std::move(listed));
  sparse.set_missing(missing);
  const Tensor completed = fill_missing(predictor, Tensor(std::move(sparse), file.labels));
  EXPECT_EQ(completed.sparse()->listed(), 2u);
  const Index last[3] = {2, 3, 1};
  EXPECT_DOUBLE_EQ(completed.sparse()->records().value(completed.sparse()->find(last)), all.expected[23]);

  Records some(3);
  some.append({0, 0, 0}, 7);
  const Tensor only_listed(SparseTensor(IndexSpace({3, 4, 2}), std::move(some), Unlisted::missing), file.labels);
  const Tensor complete = fill_missing(predictor, only_listed);
  ASSERT_FALSE(complete.is_sparse());
  EXPECT_EQ(complete.dense()->value(0), 7);
  EXPECT_DOUBLE_EQ(complete.dense()->value(23), all.expected[23]);
}

TEST(Predict, IsATidyTable) {
  const ModelFile file = file_of("poisson");
  const Predictor predictor(file, {});
  Records cells(3);
  cells.append({0, 1, 1}, 4);
  cells.append({2, 0, 0}, std::nan(""));
  const Predictions found = predictor.predict(std::move(cells));
  const std::string text = text_of(predictor, found);
  EXPECT_THAT(text, HasSubstr("user,film,year,value,expected,low,high,residual\n"));
  EXPECT_THAT(text, HasSubstr(fmt::format("ann,f2,2,4,{:.10g},", found.expected[0])));
  EXPECT_THAT(text, HasSubstr(fmt::format("cy,f1,1,,{:.10g},", found.expected[1])));
}

}  // namespace
}  // namespace polyad
