#include <polyad/base/error.hpp>
#include <polyad/fields.hpp>
#include <polyad/sample/counts.hpp>
#include <polyad/sample/samplers.hpp>

#include <array>

namespace polyad {

namespace {

// THE list of samplers, in the order of `SamplerKind`.
constexpr std::array samplers = {&uniform_sampler,     &stratified_sampler, &semi_stratified_sampler,
                                 &exact_zeros_sampler, &importance_sampler, &strata_sampler,
                                 &exhaustive_sampler};

}  // namespace

const SamplerInfo& info_of(SamplerKind kind) {
  return *samplers.at(static_cast<std::size_t>(kind));
}

std::span<const std::string_view> words_of(SamplerKind) {
  static const auto words = [] {
    std::array<std::string_view, samplers.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = samplers[i]->word;
    return all;
  }();
  return words;
}

std::vector<OptionUser> sampler_users(SamplerKind chosen) {
  std::vector<OptionUser> users;
  for (const SamplerInfo* info : samplers)
    users.push_back({"sampler", info->word, info->uses, info == &info_of(chosen)});
  return users;
}

std::unique_ptr<Sampler> make_sampler(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options) {
  check_something_observed(tensor);
  if (!options.sampler || !options.samples) {
    fail(ErrorKind::usage, "make_sampler: options must be resolved first");
  }
  const SamplerInfo& info = info_of(*options.sampler);
  if (info.sparse_only && !tensor.is_sparse()) {
    fail(ErrorKind::usage, "`sampler {}` needs a sparse tensor, but this one is dense; use uniform", info.word);
  }
  return info.make(tensor, loss, options);
}

std::unique_ptr<Sampler> Sampler::refreshed(const Factors&, const Loss&, std::uint64_t, std::size_t) const {
  fail(ErrorKind::usage, "sampler {} does not follow the model", word_of(kind()));
}

void Sampler::draw(const RandomStream& stream, std::uint64_t draw, Batch& batch) const {
  const std::size_t parts = partition().parts();
  draw_part(stream, draw, 0, batch);
  Batch more;
  for (std::size_t l = 1; l < parts; ++l) {
    draw_part(stream, draw, l, more);
    append(more, batch);
  }
  batch.all_cells = all_cells();
}

}  // namespace polyad
