// Every sampler under every relation (relations.hpp): the mean of its batches' objectives and gradients on the other data,
// brought back, is what plain loops give on the data as they were. Losses are dealt out so that every sampler meets every loss.

#include <polyad/base/error.hpp>
#include <polyad/fields.hpp>
#include <polyad/sample/samplers.hpp>

#include <gtest/gtest.h>

#include <conformance/guises.hpp>
#include <conformance/reference.hpp>
#include <conformance/spoilt.hpp>
#include <sample/unbiased.hpp>

namespace polyad::metamorphic {
namespace {

constexpr std::size_t relation_draws = test::affordable_draws(1000);
const std::vector<std::uint64_t> small = {4, 3, 3};

/// Empty where the sampler cannot serve, which must be said as a usage error.
std::unique_ptr<Sampler> sampler_on(const Tensor& tensor, const Loss& loss, SamplerKind kind) {
  SampleOptions options;
  options.sampler = kind;
  if (kind != SamplerKind::exhaustive) options.samples = 12;
  if (kind == SamplerKind::strata) {
    const bool zeros = tensor.is_sparse() && tensor.sparse()->unlisted() == Unlisted::zero;
    const std::string of = tensor.is_sparse() ? "nonzeros" : "cells";
    options.strata = {of + ":values=..<1.5", of + ":values=1.5.."};
    if (zeros) options.strata.push_back("zeros");
  }
  try {
    return make_sampler(tensor, loss.info(), resolve(options, tensor, loss.info()));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
    return nullptr;
  }
}

/// The objective, and the gradient brought back, as one list of numbers.
std::vector<double> brought_back(double objective, const Factors& gradient) {
  std::vector<double> numbers = {objective};
  for (std::size_t k = 0; k < gradient.modes(); ++k) {
    for (std::size_t i = 0; i < gradient.rows(k); ++i) {
      for (std::size_t j = 0; j < gradient.rank(); ++j) numbers.push_back(gradient.at(k, i, j));
    }
  }
  return numbers;
}

test::PlainModel plain(const Factors& model) {
  test::PlainModel out;
  for (std::size_t k = 0; k < model.modes(); ++k) {
    out.emplace_back();
    for (std::size_t i = 0; i < model.rows(k); ++i)
      out.back().emplace_back(model.row(k, i), model.row(k, i) + model.rank());
  }
  return out;
}

double largest_z(SamplerKind kind, const Sampler& sampler, const Data& data, const Relation& relation,
                 const Loss& loss) {
  const Factors model = model_for(data.cells.shape, loss);
  const Factors there = relation.model(model);
  const test::Reference reference(plain(there), loss);
  const auto statistic = [&](const Batch& batch) {
    const std::vector<double> numbers = reference(batch);
    Factors gradient(there.extents(), there.rank());
    std::size_t next = 1;
    for (std::size_t k = 0; k < there.modes(); ++k) {
      for (std::size_t i = 0; i < there.rows(k); ++i) {
        for (std::size_t j = 0; j < there.rank(); ++j) gradient.at(k, i, j) = numbers[next++];
      }
    }
    return brought_back(numbers[0], relation.back(gradient));
  };
  const Sums sums = sums_over(data.cells, model, loss);
  std::vector<double> expected = brought_back(sums.objective, sums.gradient);
  for (double& number : expected) number *= relation.factor;
  const std::size_t draws = kind == SamplerKind::exhaustive ? 2 : relation_draws;
  return test::largest_z(sampler, RandomStream(5, Purpose::gradient), draws, statistic, expected);
}

class SamplerRelations : public testing::TestWithParam<SamplerKind> {};
INSTANTIATE_TEST_SUITE_P(Every, SamplerRelations, testing::ValuesIn(every<SamplerKind>()),
                         [](const auto& tested) { return test_name(word_of(tested.param)); });

TEST_P(SamplerRelations, HoldOnAverage) {
  std::size_t next = static_cast<std::size_t>(GetParam()), served = 0;
  std::set<std::string> losses;
  for (const Relation& relation : relations()) {
    for (std::size_t which = 0; which < 3; ++which) {
      for (const Form form : {Form::dense, Form::sparse, Form::listed}) {
        // The next loss that goes with form and sampler.
        for (std::size_t tried = 0; tried < all_losses().size(); ++tried) {
          const Loss& loss = all_losses()[next++ % all_losses().size()];
          if (form == Form::sparse && !takes_zeros(loss)) continue;
          const Data data = data_of(loss, small)[which];
          const Tensor tensor = in_form(form, relation.cells(data.cells));
          const auto sampler = sampler_on(tensor, loss, GetParam());
          if (sampler == nullptr) continue;
          EXPECT_LT(largest_z(GetParam(), *sampler, data, relation, loss), test::z_threshold)
              << relation.name << ", " << data.name << ", " << name_of(form) << ", " << loss.name();
          losses.insert(std::string(loss.name()));
          ++served;
          break;
        }
      }
    }
  }
  // exact-zeros serves sparse data alone, and few losses; every other sampler serves all losses and at least a form of all data.
  const bool closed_forms_only = GetParam() == SamplerKind::exact_zeros;
  EXPECT_GE(served, closed_forms_only ? 10u : relations().size() * 3);
  EXPECT_GE(losses.size(), closed_forms_only ? 2u : 8u);
}

// A sample of twelve that is dropped is found, with the fewer draws of sanitizer builds too.
TEST(SamplerRelations, WouldBeSeenBroken) {
  const Loss loss = parse_loss("poisson");
  const Data data = data_of(loss, small)[1];
  for (const Relation& relation : relations()) {
    const Tensor tensor = sparse(relation.cells(data.cells));
    auto sound = sampler_on(tensor, loss, SamplerKind::stratified);
    ASSERT_NE(sound, nullptr);
    const test::Spoilt spoilt(std::move(sound), [](Batch& batch) { batch.w[0] = 0.0; });
    EXPECT_GT(largest_z(SamplerKind::stratified, spoilt, data, relation, loss), test::z_threshold) << relation.name;
  }
}

}  // namespace
}  // namespace polyad::metamorphic
