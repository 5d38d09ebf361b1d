#pragma once
// Draws, with replacement, from the listed records of a sparse tensor or from some of them.
//
//   w = (eta / p) w_i       and, where a correction v is given (Alg. 3),  w0 = -(eta / p) v

#include <polyad/sample/draws/index_drawer.hpp>
#include <polyad/tensor/sparse.hpp>

#include <cstdint>
#include <span>
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

/// Copies the cells and values of the records with these numbers to slots from `first` on, with weights scale * w_i.
void put_records(const Records& records, std::span<const std::uint64_t> numbers, double scale, std::size_t first,
                 Batch& batch);

}  // namespace polyad
