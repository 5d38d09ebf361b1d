// The sampler that follows the model (samplers.hpp, docs/importance.md).

#include <polyad/sample/draws_sampler.hpp>
#include <polyad/sample/importance/adaptive_cells.hpp>
#include <polyad/sample/importance/record_draws.hpp>
#include <polyad/sample/samplers.hpp>

#include <array>
#include <utility>

namespace polyad {

namespace {

// Sizing a record costs about as much as drawing one: all of them are sized at the beginning of an epoch, and then no more
// often than once in this many draws per record.
constexpr double draws_per_record = 10;

bool holds_records(const Draws& draws) {
  return std::holds_alternative<ListedDraws>(draws);
}

/// Missing cells that exact-zeros takes back: always drawn uniformly, after the records.
std::size_t missing_samples(const std::vector<Draws>& part) {
  std::size_t samples = 0;
  for (const Draws& draws : part) samples += std::holds_alternative<MissingDraws>(draws) ? count_of(draws) : 0;
  return samples;
}

/// What does not change while a fit runs; all refreshed samplers share it.
struct FollowedStrata {
  DrawsOfParts uniform;
  AdaptiveStratum records;
  AdaptiveStratum cells;
  bool with_records = false;  ///< there are some
  bool with_cells = false;    ///< there are some, and they can follow
  bool cells_are_zeros = false;
  std::uint64_t records_interval = 0;
  RecordMemory memory;
};

FollowedStrata make_followed_strata(const Tensor& tensor, DrawsOfParts uniform, const ImportanceOptions& options) {
  FollowedStrata strata;
  strata.records.tensor = &tensor;
  strata.records.options = options;
  strata.records.mode = uniform.partition.mode;
  strata.records.parts = count_parts(tensor, uniform.partition);
  strata.records.samples.assign(uniform.parts.size(), 0);
  strata.records.sizes.assign(uniform.parts.size(), 0.0);
  strata.records.correction = uniform.all_cells;
  strata.cells = strata.records;
  for (std::size_t l = 0; l < uniform.parts.size(); ++l) {
    for (const Draws& draws : uniform.parts[l]) {
      if (std::holds_alternative<MissingDraws>(draws)) continue;
      AdaptiveStratum& stratum = holds_records(draws) ? strata.records : strata.cells;
      stratum.samples[l] = count_of(draws);
      stratum.sizes[l] = std::visit([](const auto& d) { return d.cells(); }, draws);
    }
  }
  strata.with_records = strata.records.all_samples() > 0;
  strata.with_cells = strata.cells.all_samples() > 0 && cells_can_follow(strata.cells);
  strata.cells_are_zeros = tensor.is_sparse();
  if (strata.with_records) {
    const double listed = static_cast<double>(tensor.sparse()->listed());
    const double draws = static_cast<double>(strata.records.all_samples());
    strata.records_interval = static_cast<std::uint64_t>(draws_per_record * listed / draws);
  }
  strata.uniform = std::move(uniform);
  return strata;
}

class Importance final : public Sampler {
 public:
  explicit Importance(std::shared_ptr<const FollowedStrata> strata) : strata_(std::move(strata)) {}

  const Partition& partition() const override { return strata_->uniform.partition; }
  double all_cells() const override { return strata_->uniform.all_cells; }
  std::string describe() const override { return strata_->uniform.description + ", following the model"; }
  std::uint64_t refresh_interval() const override { return strata_->records.options.refresh; }

  std::unique_ptr<Sampler> refreshed(const Factors& model, const Loss& loss, std::uint64_t iteration,
                                     std::size_t threads) const override {
    auto next = std::make_unique<Importance>(strata_);
    next->records_sized_at_ = iteration;
    if (iteration > 0 && iteration - records_sized_at_ < strata_->records_interval) {
      next->records_sized_at_ = records_sized_at_;
      next->records_ = records_;
    } else if (strata_->with_records) {
      next->records_ = AdaptiveRecords::make(strata_->records, model, loss, threads, strata_->memory);
    }
    if (!strata_->with_cells) return next;
    if (iteration == 0) {
      next->cells_ = AdaptiveCells::make(strata_->cells, model, loss, threads);
    } else if (cells_) {
      next->cells_ = cells_->remade(strata_->cells, model, threads);
    }
    return next;
  }

  void draw_part(const RandomStream& stream, std::uint64_t draw, std::size_t part, Batch& batch) const override {
    const std::size_t records = records_ ? records_->count(part) : strata_->records.samples[part];
    const std::size_t cells = cells_ ? cells_->count(part) : strata_->cells.samples[part];
    const std::size_t missing = missing_samples(strata_->uniform.parts[part]);
    batch.resize(strata_->uniform.modes, records + missing + cells, strata_->uniform.with_w0);
    batch.all_cells = 0;
    const DrawKey key{stream, draw, static_cast<std::uint32_t>(part)};
    for (const Draws& stratum : strata_->uniform.parts[part]) {
      const bool uniform = std::holds_alternative<MissingDraws>(stratum);
      const std::size_t first = holds_records(stratum) ? 0 : uniform ? records : records + missing;
      if (holds_records(stratum) && records_) {
        records_->fill(key, first, batch);
      } else if (!holds_records(stratum) && !uniform && cells_) {
        cells_->fill(key, first, batch);
      } else {
        std::visit([&](const auto& draws) { draws.fill(key, first, batch); }, stratum);
      }
    }
    batch.zeros_from = strata_->cells_are_zeros ? records + missing : batch.size();
  }

 private:
  std::shared_ptr<const FollowedStrata> strata_;
  std::shared_ptr<const AdaptiveRecords> records_;  ///< null: drawn uniformly
  std::shared_ptr<const AdaptiveCells> cells_;      ///< null: drawn uniformly
  std::uint64_t records_sized_at_ = 0;
};

std::unique_ptr<Sampler> make_importance(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options) {
  const SamplerKind strata = importance_strata(tensor, loss, options);
  DrawsOfParts uniform = strata == SamplerKind::uniform       ? uniform_draws(tensor, options)
                         : strata == SamplerKind::exact_zeros ? exact_zeros_draws(tensor, loss, options)
                                                              : stratified_draws(tensor, options);
  return std::make_unique<Importance>(
      std::make_shared<const FollowedStrata>(make_followed_strata(tensor, std::move(uniform), options.importance)));
}

constexpr std::array<std::string_view, 3> options_of_importance = {"nonzero-samples", "parts", "Importance sampling"};

}  // namespace

constinit const SamplerInfo importance_sampler = {
    .word = "importance",
    .uses = options_of_importance,
    .make = make_importance,
};

}  // namespace polyad
