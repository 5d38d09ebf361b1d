#pragma once
// The listed records of all parts, drawn in proportion to the size of their gradients (record_draws.hpp).

#include <polyad/sample/draws/record_draws.hpp>
#include <polyad/sample/importance/adaptive_stratum.hpp>

#include <memory>
#include <optional>

namespace polyad {

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
