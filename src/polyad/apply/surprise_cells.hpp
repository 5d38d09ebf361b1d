#pragma once
// Cells under a law: those that are stored, one by one in rounds of parts, and unlisted zeros by search.

#include <polyad/apply/large_cells.hpp>
#include <polyad/apply/surprise_law.hpp>
#include <polyad/kernel/batch.hpp>
#include <polyad/tensor/tensor.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace polyad {

/// The logarithm of p where nothing is so improbable.
inline constexpr double log_of_nothing = -std::numeric_limits<double>::infinity();

/// What cells are judged by. All of it must outlive its users.
struct Judge {
  const Factors& model;  ///< weights 1
  const Loss& loss;
  const SurpriseLaw& law;
  std::size_t threads;

  void means(const Batch& batch, std::vector<double>& mean) const;
};

/// Some stored cells that are data.
struct JudgedPart {
  Batch batch;                      ///< index and x
  std::vector<std::uint64_t> cell;  ///< number of the record, or position in a dense tensor
  std::vector<double> mean, variance, log_p;
  std::vector<signed char> side;
};

/// Every stored cell that is data, in their order: rounds of parts, each judged by one thread. Missing cells are left out.
void for_each_round(const Tensor& tensor, const Judge& judge,
                    const std::function<void(std::span<const JudgedPart>)>& visit);
/// The same for all cells of a space, whatever the data: index, mean and variance alone.
void for_each_round_of_all(const IndexSpace& space, const Judge& judge,
                           const std::function<void(std::span<const JudgedPart>)>& visit);

/// Cells with their p; those that are not stored are unlisted zeros.
struct RankedCells {
  explicit RankedCells(std::size_t mode_count) : modes(mode_count) {}

  std::size_t modes;
  std::vector<double> log_p;
  std::vector<signed char> side;
  std::vector<Index> index;  ///< `modes` numbers each

  std::size_t size() const { return log_p.size(); }
  const Index* at(std::size_t t) const { return index.data() + t * modes; }
  void append(const Index* cell, double p, int which);
  /// Least p first, equal ones by position; no more than `count` are kept.
  void keep_best(std::size_t count);
};

/// Unlisted zeros that are data.
class ZeroSearch {
 public:
  ZeroSearch(const SparseTensor& tensor, const Judge& judge);

  /// All of at most this p; false: given up.
  bool find_all(double log_p, RankedCells& found) const;
  /// Adds what belongs among the `count` best of at most this p, which `best` may hold some of; false: given up.
  bool find_best(std::size_t count, double log_p, bool more, bool less, RankedCells& best) const;
  double steps() const { return steps_; }

 private:
  double m_at(double log_p) const;
  Tail tail_of(double m) const;

  const SparseTensor& tensor_;
  const Judge& judge_;
  LargeCells cells_;
  mutable double steps_ = 0;
};

/// The p up to which all is marked, so that at most a share `false_alarms` of it is false: the largest of p_(k) <= share k / tested.
/// Every p that may be marked must be there, in increasing order.
struct Threshold {
  double log_p;
  std::uint64_t marked = 0;
};
Threshold threshold_of(const std::vector<double>& sorted_log_p, double tested, double false_alarms);

}  // namespace polyad
