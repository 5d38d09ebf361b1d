#pragma once
// Draws, with replacement, of listed records in proportion to the size of their gradients, as it was when the table was made:
//
//   h_i = |w_i g(x,m) - v g(0,m)| sqrt(sum_k norm(z_k)^2), capped at 100 times its mean; v only with exact-zeros
//   n_i = 4 (c + (1 - c) h_i / mean(h)), rounded, at least 1                               c is the uniform share
//   w   = (N / p) w_i / n_i   and, where a correction v is given,  w0 = -(N / p) v / n_i   N = sum_i n_i
//
// Record i has n_i of the N slots of a table. That is coarser than an alias table, but it is exact, filled by one pass in order
// at a third of the time, and a draw waits for two cache lines, a slot and a record: a slot holds both i and n_i, which is why
// n_i is limited where records are very many. However old the sizes, no weight exceeds that of a uniform draw by more than
// 1 / c or 4.

#include <polyad/loss.hpp>
#include <polyad/model.hpp>
#include <polyad/sample/draws/index_drawer.hpp>
#include <polyad/sample/importance/adaptive_stratum.hpp>
#include <polyad/sample/importance/recycler.hpp>
#include <polyad/tensor/sparse.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace polyad {

/// Every `step`-th record from `begin` on.
struct RecordRange {
  std::size_t begin;
  std::size_t step;
  std::size_t count;
};

/// h of these records for a model, not capped; finite. O(r d) each.
void record_sizes(const SparseTensor& tensor, const Factors& model, const Loss& loss, double correction,
                  const RecordRange& range, float* sizes);

/// Where tables take their arrays from.
struct RecordMemory {
  std::shared_ptr<Recycler<float>> sizes = std::make_shared<Recycler<float>>();
  std::shared_ptr<Recycler<std::uint16_t>> slots = std::make_shared<Recycler<std::uint16_t>>();
  std::shared_ptr<Recycler<std::uint32_t>> tables = std::make_shared<Recycler<std::uint32_t>>();
};

/// Slots of some records, and what drawing by them does to the second moment of the gradient: E[norm^2] of p uniform draws from n
/// records is (n / p) sum h^2, and (N / p) sum h^2 / n_i of draws by slots.
struct SlotsOfRecords {
  std::shared_ptr<AlignedVector<std::uint16_t>> slots;  ///< n_i
  std::uint64_t total = 0;                              ///< N
  double mass = 0;                                      ///< sum of h, capped
  double uniform = 0;                                   ///< n sum h^2
  double followed = 0;                                  ///< N sum h^2 / n_i
};
SlotsOfRecords slots_of(std::span<const float> sizes, double uniform_share, const RecordMemory& memory);

/// So many records can have slots: the number of a slot has 32 bits, as has a slot itself.
inline constexpr std::size_t most_records_with_slots = std::size_t{1} << 29;

class RecordDraws {
 public:
  /// From as many records as have slots, at least one, `begin` being the first.
  RecordDraws(const SparseTensor& tensor, std::size_t begin, const SlotsOfRecords& records, double correction,
              const RecordMemory& memory);

  /// Samples first .. first+count-1 of the batch.
  void fill(const DrawKey& key, std::size_t first, std::size_t count, Batch& batch) const;

 private:
  const SparseTensor* tensor_;
  std::size_t begin_;
  double correction_;
  std::uint64_t total_;
  unsigned record_bits_;
  std::shared_ptr<const AlignedVector<std::uint32_t>> table_;  ///< of each slot its record and, above record_bits_, n_i
};

/// The listed records of all parts, so drawn.
class AdaptiveRecords {
 public:
  /// Sizes all records for the model: O(listed r d). Nothing, that is uniform draws, where the options leave the choice and it
  /// would not pay (mostly a few records suffice to see that), and beyond most_records_with_slots.
  static std::shared_ptr<const AdaptiveRecords> make(const AdaptiveStratum& stratum, const Factors& model,
                                                     const Loss& loss, std::size_t threads, const RecordMemory& memory);

  std::size_t count(std::size_t part) const { return samples_[part]; }
  void fill(const DrawKey& key, std::size_t first, Batch& batch) const {
    if (draws_[key.part]) draws_[key.part]->fill(key, first, samples_[key.part], batch);
  }

 private:
  std::vector<std::optional<RecordDraws>> draws_;
  std::vector<std::uint64_t> samples_;
};

}  // namespace polyad
