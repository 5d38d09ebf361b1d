#include <polyad/sample/counts.hpp>
#include <polyad/sample/samplers.hpp>

namespace polyad {

std::unique_ptr<Sampler> make_sampler(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options) {
  check_something_observed(tensor);
  if (!options.sampler || !options.samples) {
    fail(ErrorKind::usage, "make_sampler: options must be resolved first");
  }
  const SparseTensor* sparse = tensor.sparse();
  const SamplerKind kind = *options.sampler;
  const bool sparse_only =
      kind == SamplerKind::stratified || kind == SamplerKind::semi_stratified || kind == SamplerKind::exact_zeros;
  if (sparse_only && sparse == nullptr) {
    fail(ErrorKind::usage, "sampler {} needs a sparse tensor, but this one is dense; use uniform", word_of(kind));
  }
  switch (kind) {
    case SamplerKind::uniform:
      return make_uniform(tensor, options);
    case SamplerKind::stratified:
      return make_stratified(tensor, options);
    case SamplerKind::semi_stratified:
      return make_semi_stratified(tensor, options);
    case SamplerKind::exact_zeros:
      return make_exact_zeros(tensor, loss, options);
    case SamplerKind::importance:
      return make_importance(tensor, loss, options);
    case SamplerKind::strata:
      return make_strata(tensor, options);
    case SamplerKind::exhaustive:
      return make_exhaustive(tensor);
  }
  fail(ErrorKind::usage, "make_sampler: unknown sampler");
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
