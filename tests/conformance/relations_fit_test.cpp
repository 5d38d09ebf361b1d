// Every method under every relation (relations.hpp): what is optimal for the data is optimal for the same data in another
// guise. A fit of these from near the optimum of those comes back to it, in every form of a tensor. Losses that a method
// serves, methods and finishes come from the lists.

#include <polyad/base/error.hpp>
#include <polyad/model.hpp>

#include <gtest/gtest.h>

#include <conformance/guises.hpp>

namespace polyad::metamorphic {
namespace {

/// A method with a loss it serves.
struct Task {
  std::string name;
  std::string loss;
  std::size_t rank = 1;
  std::function<void(FitOptions&)> choose;
};

void PrintTo(const Task& task, std::ostream* out) {
  *out << task.name;
}

std::vector<Task> tasks() {
  std::vector<Task> all;
  for (const Loss& loss : all_losses()) {
    const std::string name(loss.name());
    for (const Method method : every<Method>()) {
      const MethodInfo& info = info_of(method);
      if (info.make == nullptr) continue;  // a word for a choice among the others
      if (info.rows != RowProblem::none && info.rows != loss.info().row_problem) continue;
      // Sampled gradients of every cell: no chance is left, so that the same optimum must be found.
      const bool sampled = info.iterations == 0;
      const auto choose = [method, sampled](FitOptions& o) {
        o.method = method;
        o.stop.iterations = 2000;
        o.stop.tolerance = 1e-13;
        if (method == "cp-apr") o.apr.kkt_tolerance = 1e-9;
        if (!sampled) return;
        o.sample.sampler = SamplerKind::exhaustive;
        o.finish = Finish::lbfgsb;
        o.schedule.epochs = 2;
        o.schedule.epoch_iterations = 50;
        o.schedule.rate = 1e-3;
      };
      for (const std::size_t rank : {1, 2}) {
        all.push_back({fmt::format("{} by {}, rank {}", name, info.word, rank), name, rank, choose});
      }
    }
  }
  return all;
}

class FitRelations : public testing::TestWithParam<Task> {};
INSTANTIATE_TEST_SUITE_P(Every, FitRelations, testing::ValuesIn(tasks()),
                         [](const auto& tested) { return test_name(tested.param.name); });

FitOptions options_of(const Task& task) {
  FitOptions options;
  options.rank = task.rank;
  options.loss = task.loss;
  options.starts = 1;
  options.threads = 1;
  task.choose(options);
  return options;
}

/// The model with its weights in the factors.
Factors spread(const KTensor& model) {
  KTensor copy = model;
  distribute_weights(copy);
  return copy.factors;
}

/// Every entry changed by up to a hundredth.
Factors near(const Factors& model) {
  Generator random(RandomStream(9, Purpose::problem));
  Factors out = model;
  for (std::size_t k = 0; k < out.modes(); ++k) {
    for (std::size_t i = 0; i < out.rows(k); ++i) {
      for (std::size_t j = 0; j < out.rank(); ++j) out.at(k, i, j) *= 0.99 + 0.02 * random.unit();
    }
  }
  return out;
}

TEST_P(FitRelations, TheOptimumStaysTheOptimum) {
  const Task& task = GetParam();
  const Loss loss = parse_loss(task.loss);
  std::size_t next = 0, determined = 0;
  for (const Data& data : data_of(loss, {9, 8, 7})) {
    const KTensor start(model_for(data.cells.shape, loss, 21, task.rank));
    const FitResult here = fit(dense(data.cells), options_of(task), {}, {.start_from = &start});
    const Factors optimum = spread(here.model);
    const Sums sums = sums_over(data.cells, optimum, loss);
    EXPECT_NEAR(*here.exact_loss, sums.objective, 1e-10 * sums.size);
    const KTensor nearby(near(optimum));
    const double gain = sums_over(data.cells, start.factors, loss).objective - sums.objective;
    ASSERT_GT(gain, 0) << data.name;
    // Few yes/no answers may be explained perfectly by a model without end, which is no optimum to come back to.
    const FitResult again = fit(dense(data.cells), options_of(task), {}, {.start_from = &nearby});
    if (std::abs(*again.exact_loss - sums.objective) > 1e-8 * gain) continue;
    ++determined;
    for (const Relation& relation : relations()) {
      const std::vector<Form> forms = forms_for(loss);
      const Form form = forms[next++ % forms.size()];
      const Cells cells = relation.cells(data.cells);
      FitOptions options = options_of(task);
      options.bounds.modes = relation.fixed;
      const KTensor from(relation.model(nearby.factors));
      const FitResult there = fit(in_form(form, cells), options, {}, {.start_from = &from});
      const std::string what = fmt::format("{}, {}, {}", data.name, relation.name, name_of(form));
      EXPECT_NEAR(*there.exact_loss / relation.factor, sums.objective, 1e-6 * gain) << what;
      const Sums found = sums_over(cells, spread(there.model), loss);
      EXPECT_NEAR(*there.exact_loss, found.objective, 1e-10 * found.size) << what;
    }
  }
  EXPECT_GE(determined, task.rank == 1 ? 2u : 0u);
}

}  // namespace
}  // namespace polyad::metamorphic
