#include <polyad/sample/draws_sampler.hpp>
#include <polyad/sample/samplers.hpp>

#include <array>

namespace polyad {

DrawsOfParts uniform_draws(const Tensor& tensor, const SampleOptions& options) {
  const std::uint64_t s = *options.samples;
  const SparseTensor* sparse = tensor.sparse();
  if (sparse != nullptr && !zeros_are_data(*sparse)) return listed_draws(tensor, options);
  DrawsBuilder builder(tensor, options, 0, 1);
  if (sparse != nullptr) {
    builder.add_looked_up(*sparse, s);
  } else {
    builder.add_dense(*tensor.dense(), s);
  }
  return builder.described(describe_draws(s, tensor.observed(), "cells"));
}

namespace {

constexpr std::array<std::string_view, 1> options_of_uniform = {"parts"};

}  // namespace

constinit const SamplerInfo uniform_sampler = {
    .word = "uniform",
    .uses = options_of_uniform,
    .make = [](const Tensor& tensor, const LossInfo&,
               const SampleOptions& options) { return make_draws_sampler(uniform_draws(tensor, options)); },
};

}  // namespace polyad
