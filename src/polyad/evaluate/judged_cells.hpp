#pragma once
// A batch seen through a model: for every cell what the model says, what it expects, and the losses that deviance compares.

#include <polyad/kernel/batch.hpp>
#include <polyad/loss.hpp>
#include <polyad/loss/best_value.hpp>
#include <polyad/model.hpp>

#include <vector>

namespace polyad {

struct JudgedCells {
  std::vector<double> m;                           ///< the model's values
  std::vector<double> expected;                    ///< as data: expected_value(m)
  std::vector<double> loss, null_loss, best_loss;  ///< f at m, at the best constant, at the data
};

std::vector<double> model_values(const Factors& model, const Batch& batch);
JudgedCells judge(const Factors& model, const Batch& batch, const Loss& loss, double null_value, LeastLoss& least);

}  // namespace polyad
