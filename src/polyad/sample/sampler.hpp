#pragma once
// A sampler draws batches whose gradient and objective are unbiased: E[F~] = F and E[G~] = G, for any loss, any entry
// weights and any missing cells. One virtual call per batch, none per entry.

#include <polyad/base/rng.hpp>
#include <polyad/kernel/batch.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>
#include <polyad/options/sampling.hpp>
#include <polyad/sample/partition.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace polyad {

class Sampler {
 public:
  virtual ~Sampler() = default;

  /// How a batch is divided. Samples of a part touch only its own rows of the partition's mode.
  virtual const Partition& partition() const = 0;
  /// Fills `batch` with one part of draw number `draw` of a stream: a pure function of (stream, draw, part). All starts
  /// share one sampler, each with a stream of its own. The parts' batches leave all_cells at 0.
  virtual void draw_part(const RandomStream& stream, std::uint64_t draw, std::size_t part, Batch& batch) const = 0;
  /// all_cells of the whole batch.
  virtual double all_cells() const { return 0; }
  /// A sampler may follow the model: every so many iterations, counted from the beginning of an epoch, its densities are
  /// built again. 0: never.
  virtual std::uint64_t refresh_interval() const { return 0; }
  /// This sampler with densities made for `model`, at some iteration of an epoch; only where there is an interval. At
  /// iteration 0 they depend on the model alone, so that an epoch is a function of the state at its beginning; later they may
  /// keep parts of this sampler's own. Batches are unbiased for every model, also for those that come after. The result does
  /// not depend on the number of threads.
  virtual std::unique_ptr<Sampler> refreshed(const Factors& model, const Loss& loss, std::uint64_t iteration,
                                             std::size_t threads) const;
  /// "500 of 524,468 nonzeros and 500 of 149,475,532 zeros": what one batch holds.
  virtual std::string describe() const = 0;

  /// The whole batch: all parts, one after the other.
  void draw(const RandomStream& stream, std::uint64_t draw, Batch& batch) const;
};

/// Fills what is auto in the options (sampler, samples, nonzero_samples, parts, estimate_samples) for this tensor and loss.
SampleOptions resolve(const SampleOptions& options, const Tensor& tensor, const LossInfo& loss);

/// `options` must be resolved. The tensor must outlive the sampler. Data or usage errors say why a sampler cannot serve:
/// nothing observed; exact-zeros with a loss without closed form; sparse samplers on dense data; ...
std::unique_ptr<Sampler> make_sampler(const Tensor& tensor, const LossInfo& loss, const SampleOptions& options);

/// The one batch on which the objective is estimated: uniform for dense, stratified for sparse, whatever sampler the
/// gradient uses; every observed cell, exactly, where there are no more cells than samples. Depends on the tensor,
/// estimate_samples and estimate_seed alone.
Batch estimate_batch(const Tensor& tensor, const SampleOptions& options);

/// About `cells` of the tensor's cells with weights that let them stand for all, to learn what sizes the data, their loss and
/// its gradient have. They are drawn like those of the estimate, or are all cells where there are no more, and do not depend on the
/// options of a fit.
Batch typical_cells(const Tensor& tensor, std::uint64_t cells);

/// Every observed cell once, with its weight: turns the sampled corridor into the exact gradient and objective (our
/// oracle). A usage error beyond 2^31 cells.
Batch exhaustive_batch(const Tensor& tensor);

}  // namespace polyad
