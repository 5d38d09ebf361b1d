// The exact objective and gradient of every loss, in every form of a tensor and under every relation (relations.hpp), against
// plain loops over the cells as they were before.

#include <polyad/base/error.hpp>
#include <polyad/kernel/batch_objective.hpp>
#include <polyad/kernel/exact_objective.hpp>

#include <gtest/gtest.h>

#include <conformance/guises.hpp>

namespace polyad::metamorphic {
namespace {

class ExactRelations : public testing::TestWithParam<Loss> {};
INSTANTIATE_TEST_SUITE_P(Every, ExactRelations, testing::ValuesIn(all_losses().begin(), all_losses().end()),
                         [](const auto& tested) { return test_name(tested.param.name()); });

// Rounding only: sums of a few hundred terms in another order.
void expect_same(const Sums& expected, double objective, const Factors& gradient, double factor,
                 const std::string& what) {
  EXPECT_NEAR(objective, factor * expected.objective, 1e-12 * factor * expected.size) << what;
  for (std::size_t k = 0; k < gradient.modes(); ++k) {
    for (std::size_t i = 0; i < gradient.rows(k); ++i) {
      for (std::size_t j = 0; j < gradient.rank(); ++j) {
        ASSERT_NEAR(gradient.at(k, i, j), factor * expected.gradient.at(k, i, j), 1e-11 * factor * expected.steepest)
            << what << ": mode " << k << ", row " << i << ", component " << j;
      }
    }
  }
}

TEST_P(ExactRelations, HoldForObjectiveAndGradientInEveryForm) {
  const Loss& loss = GetParam();
  for (const Data& data : data_of(loss)) {
    const Factors model = model_for(data.cells.shape, loss);
    const Sums expected = sums_over(data.cells, model, loss);
    std::vector<Relation> all = relations();
    all.push_back({"as it is", 1, [](const Cells& c) { return c; }, copied, copied});
    for (const Relation& relation : all) {
      const Cells other = relation.cells(data.cells);
      const Factors there = relation.model(model);
      for (const Form form : forms_for(loss)) {
        const Tensor tensor = in_form(form, other);
        const std::string what = fmt::format("{}, {}, {}", data.name, relation.name, name_of(form));
        Factors gradient(there.extents(), there.rank());
        const double objective = ExactGradient(tensor, loss)(there, 1, gradient);
        expect_same(expected, objective, relation.back(gradient), relation.factor, what + ", full gradient");
        const Batch batch = exhaustive_batch(tensor);
        sampled_gradient(there, batch, loss, gradient);
        expect_same(expected, estimate(there, batch, loss), relation.back(gradient), relation.factor,
                    what + ", exhaustive batch");
        const auto exact = exact_objective(there, tensor, loss, 1e9);
        ASSERT_TRUE(exact.has_value()) << what;
        EXPECT_NEAR(*exact, relation.factor * expected.objective, 1e-12 * relation.factor * expected.size) << what;
      }
    }
  }
}

// sum_i a_k(i, j) dF/da_k(i, j) is the sum over all cells of y times component j: the same in every mode, also in those that
// a relation added and whose gradient it leaves out.
TEST_P(ExactRelations, EveryModeSeesTheSameSlopeAlongAComponent) {
  const Loss& loss = GetParam();
  for (const Data& data : data_of(loss)) {
    for (const Relation& relation : relations()) {
      const Factors model = relation.model(model_for(data.cells.shape, loss));
      for (const Form form : forms_for(loss)) {
        const Tensor tensor = in_form(form, relation.cells(data.cells));
        Factors gradient(model.extents(), model.rank());
        ExactGradient(tensor, loss)(model, 1, gradient);
        for (std::size_t j = 0; j < model.rank(); ++j) {
          std::vector<double> slopes(model.modes(), 0.0);
          double size = 0;
          for (std::size_t k = 0; k < model.modes(); ++k) {
            for (std::size_t i = 0; i < model.rows(k); ++i) {
              slopes[k] += model.at(k, i, j) * gradient.at(k, i, j);
              size += std::abs(model.at(k, i, j) * gradient.at(k, i, j));
            }
          }
          for (const double slope : slopes)
            EXPECT_NEAR(slope, slopes[0], 1e-12 * size) << data.name << ", " << relation.name;
        }
      }
    }
  }
}

// Blocks that differ: the objective of both is the sum, and each block's rows have the gradient of that block alone.
TEST_P(ExactRelations, IndependentBlocksAddUp) {
  const Loss& loss = GetParam();
  const Cells one = cells_for(loss, {4, 3, 5}, 5), two = cells_for(loss, {3, 5, 2}, 6);
  const Factors model_one = model_for(one.shape, loss, 7), model_two = model_for(two.shape, loss, 8);
  const Sums a = sums_over(one, model_one, loss), b = sums_over(two, model_two, loss);
  Cells both = one;
  std::vector<std::uint64_t> shape = one.shape;
  for (std::size_t k = 0; k < shape.size(); ++k) shape[k] += two.shape[k];
  both.shape = shape;
  for (std::size_t t = 0; t < two.x.size(); ++t) {
    std::vector<Index> index = two.index[t];
    for (std::size_t k = 0; k < index.size(); ++k) index[k] += static_cast<Index>(one.shape[k]);
    both.index.push_back(index);
    both.x.push_back(two.x[t]);
  }
  Factors model(shape, model_one.rank());
  for (std::size_t k = 0; k < shape.size(); ++k) {
    for (std::size_t i = 0; i < shape[k]; ++i) {
      for (std::size_t j = 0; j < model.rank(); ++j) {
        model.at(k, i, j) = i < one.shape[k] ? model_one.at(k, i, j) : model_two.at(k, i - one.shape[k], j);
      }
    }
  }
  for (const Form form : forms_for(loss)) {
    const Tensor tensor = in_form(form, both);
    Factors gradient(shape, model.rank());
    EXPECT_NEAR(ExactGradient(tensor, loss)(model, 1, gradient), a.objective + b.objective, 1e-12 * (a.size + b.size));
    for (std::size_t k = 0; k < shape.size(); ++k) {
      for (std::size_t i = 0; i < shape[k]; ++i) {
        for (std::size_t j = 0; j < model.rank(); ++j) {
          const double expected = i < one.shape[k] ? a.gradient.at(k, i, j) : b.gradient.at(k, i - one.shape[k], j);
          EXPECT_NEAR(gradient.at(k, i, j), expected, 1e-11 * (a.steepest + b.steepest)) << name_of(form);
        }
      }
    }
  }
}

}  // namespace
}  // namespace polyad::metamorphic
