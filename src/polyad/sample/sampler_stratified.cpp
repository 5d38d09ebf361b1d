// Stratified and semi-stratified sampling (samplers.hpp).

#include <polyad/sample/draws_sampler.hpp>
#include <polyad/sample/samplers.hpp>

#include <array>

namespace polyad {

DrawsOfParts stratified_draws(const Tensor& tensor, const SampleOptions& options) {
  const SparseTensor& sparse = *tensor.sparse();
  const auto [p, q] = split_samples(sparse, options);
  if (q == 0) return listed_draws(tensor, options);
  DrawsBuilder builder(tensor, options, static_cast<double>(p), static_cast<double>(q));
  std::string description = describe_draws(q, sparse.zeros(), "zeros");
  if (p > 0) {
    builder.add_listed(sparse, p);
    description = describe_listed(sparse, p) + " and " + description;
  }
  builder.add_zeros(sparse, Admit::zeros, q);
  return builder.described(std::move(description));
}

namespace {

DrawsOfParts semi_stratified_draws(const Tensor& tensor, const SampleOptions& options) {
  const SparseTensor& sparse = *tensor.sparse();
  const auto [p, q] = split_samples(sparse, options);
  if (q == 0) return listed_draws(tensor, options);
  DrawsBuilder builder(tensor, options, static_cast<double>(p), static_cast<double>(q));
  std::string description = describe_draws(q, sparse.observed(), "zeros");
  if (p > 0) {
    builder.add_listed(sparse, p, sparse.zero_weight());
    description = describe_listed(sparse, p) + " and " + describe_draws(q, sparse.observed(), "cells taken as zeros");
  }
  builder.add_zeros(sparse, Admit::observed, q);
  return builder.described(std::move(description));
}

constexpr std::array<std::string_view, 2> options_of_stratified = {"nonzero-samples", "parts"};

}  // namespace

constinit const SamplerInfo stratified_sampler = {
    .word = "stratified",
    .sparse_only = true,
    .uses = options_of_stratified,
    .make = [](const Tensor& tensor, const LossInfo&,
               const SampleOptions& options) { return make_draws_sampler(stratified_draws(tensor, options)); },
};

constinit const SamplerInfo semi_stratified_sampler = {
    .word = "semi-stratified",
    .sparse_only = true,
    .uses = options_of_stratified,
    .make = [](const Tensor& tensor, const LossInfo&,
               const SampleOptions& options) { return make_draws_sampler(semi_stratified_draws(tensor, options)); },
};

}  // namespace polyad
