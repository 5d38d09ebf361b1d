#pragma once
// Any model against any data, whoever made it: loss, gradient, deviance explained, what each component is worth, and a verdict.
// Exact as long as that takes seconds; beyond, estimated on the fixed sample with a standard error.

#include <polyad/fit/verdict.hpp>
#include <polyad/model.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace polyad {

struct EvaluateSettings {
  double lower = 0;         ///< bound of the factors that the gradient is projected at; set by `evaluate_settings`
  SampleOptions sample;     ///< of an estimate
  double most_cells = 4e8;  ///< evaluations of the model that exact figures may take
  std::size_t threads = 0;  ///< 0: one per core
  const Records* held_out = nullptr;  ///< cells with values that the model has not seen
};

/// The settings that go with a loss: its own lower bound.
EvaluateSettings evaluate_settings(const Loss& loss);

struct ComponentWorth {
  double weight = 0;  ///< with unit columns
  double share = 0;   ///< of the sum of all weights
  double worth = 0;   ///< the part of the deviance that comes back without it
};

struct Evaluation {
  FitVerdict verdict;  ///< its quality has loss, best constant and gradient
  std::vector<ComponentWorth> components;
};

/// A data error where shapes or labels do not fit.
void check_same_cells(const Tensor& tensor, const KTensor& model, const Labels& model_labels);

Evaluation evaluate(const Tensor& tensor, const KTensor& model, const Loss& loss, const EvaluateSettings& settings);

Json to_json(const Evaluation& evaluation);

}  // namespace polyad
