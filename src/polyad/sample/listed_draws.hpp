#pragma once
// Draws, with replacement, from the listed records of a sparse tensor or from some of them.
//
//   w = (eta / p) w_i       and, where a correction v is given (Alg. 3),  w0 = -(eta / p) v

#include <polyad/sample/index_drawer.hpp>
#include <polyad/tensor/sparse.hpp>

#include <cstdint>
#include <vector>

namespace polyad {

class ListedDraws {
 public:
  /// From all records; there must be some.
  ListedDraws(const SparseTensor& tensor, std::size_t count, double correction = 0);
  /// From records begin .. end-1, at least one.
  ListedDraws(const SparseTensor& tensor, std::size_t begin, std::size_t end, std::size_t count, double correction);
  /// From the records with these numbers.
  ListedDraws(const SparseTensor& tensor, std::vector<std::uint32_t> numbers, std::size_t count);

  std::size_t count() const { return count_; }
  double cells() const { return static_cast<double>(records()); }
  void fill(const DrawKey& key, std::size_t first, Batch& batch) const;

 private:
  std::size_t records() const { return numbers_.empty() ? end_ - begin_ : numbers_.size(); }

  const SparseTensor* tensor_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::vector<std::uint32_t> numbers_;  ///< empty where a range of records serves
  std::size_t count_;
  double correction_ = 0;
};

/// Copies a record's cell and value to a slot, with weight scale * w_i.
void put_record(const Records& records, std::size_t record, double scale, std::size_t slot, Batch& batch);

}  // namespace polyad
