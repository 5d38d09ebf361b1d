#include <polyad/sample/samplers.hpp>

#include <polyad/base/error.hpp>

#include <array>

namespace polyad {

const SamplerInfo& info_of(SamplerKind kind) {
  return *all_samplers.at(static_cast<std::size_t>(kind));
}

std::span<const std::string_view> words_of(SamplerKind) {
  static const auto words = [] {
    std::array<std::string_view, all_samplers.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = all_samplers[i]->word;
    return all;
  }();
  return words;
}

std::vector<OptionUser> sampler_users(SamplerKind chosen) {
  std::vector<OptionUser> users;
  for (const SamplerInfo* info : all_samplers)
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
    fail(ErrorKind::usage, "`sampler {}` needs a sparse tensor, but this one is dense; use `sampler uniform`",
         info.word);
  }
  return info.make(tensor, loss, options);
}

std::unique_ptr<Sampler> Sampler::refreshed(const Factors&, const Loss&, std::uint64_t, std::size_t) const {
  fail(ErrorKind::usage, "this sampler does not follow the model");
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

std::string describe_draws(std::uint64_t samples, double cells, const std::string& what) {
  return fmt::format("{} of {} {}", format_count(samples), format_count(cells), what);
}

std::string listed_noun(const SparseTensor& tensor) {
  if (tensor.unlisted() == Unlisted::missing) return "listed entries";
  // Explicit zeros survive beside implicit ones only to carry a weight.
  const Records& records = tensor.records();
  if (records.weighted()) {
    for (std::size_t r = 0; r < records.size(); ++r) {
      if (records.value(r) == 0) return "listed entries";
    }
  }
  return "nonzeros";
}

std::string describe_stored(const Tensor& tensor) {
  const SparseTensor* sparse = tensor.sparse();
  if (sparse == nullptr) return fmt::format("{} cells", format_count(tensor.observed()));
  return fmt::format("{} listed cells", format_count(static_cast<double>(sparse->listed())));
}

bool zeros_are_data(const SparseTensor& tensor) {
  return tensor.unlisted() == Unlisted::zero;
}

void check_something_observed(const Tensor& tensor) {
  if (!(tensor.observed() > 0)) fail(ErrorKind::data, "nothing is observed: every cell is missing");
}

}  // namespace polyad
