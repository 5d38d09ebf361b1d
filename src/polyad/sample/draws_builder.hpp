#pragma once
// Puts the draws of a sampler together, one set for each part of the partition (parted_sampler.hpp).

#include <polyad/sample/part_counts.hpp>
#include <polyad/sample/parted_sampler.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace polyad {

class DrawsBuilder {
 public:
  /// Listed entries and other cells are drawn in the proportion p to q.
  DrawsBuilder(const Tensor& tensor, const SampleOptions& options, double p, double q);

  /// Adds p listed entries; with a correction v, their w0 = -(eta / p) v.
  void add_listed(const SparseTensor& tensor, std::uint64_t p, double correction = 0);
  void add_zeros(const SparseTensor& tensor, Admit admit, std::uint64_t q);
  /// Cells of a sparse tensor whose value is looked up.
  void add_looked_up(const SparseTensor& tensor, std::uint64_t s);
  void add_dense(const DenseTensor& tensor, std::uint64_t s);
  void set_all_cells(double c) { result_.all_cells = c; }

  PartedDraws described(std::string description);

 private:
  std::vector<double> sizes(double PartCount::*member) const;

  PartedDraws result_;
  std::vector<PartCount> counts_;
};

/// "500 of 524,468 nonzeros".
std::string describe_listed(const SparseTensor& tensor, std::uint64_t p);
/// All samples from the listed records: what every sparse sampler comes to where no zeros are data.
PartedDraws listed_draws(const Tensor& tensor, const SampleOptions& options);

}  // namespace polyad
