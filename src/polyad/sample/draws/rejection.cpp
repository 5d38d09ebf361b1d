#include <polyad/base/error.hpp>
#include <polyad/sample/draws/rejection.hpp>

#include <boost/math/distributions/negative_binomial.hpp>

#include <cmath>

namespace polyad {

std::size_t keep_admitted(const std::uint8_t* admitted, std::size_t n, Index* index) {
  std::size_t kept = 0;
  while (kept < n && admitted[kept] != 0) ++kept;  // usually most of them
  for (std::size_t c = kept; c < n; ++c) {
    index[kept] = index[c];
    kept += admitted[c];
  }
  return kept;
}

std::uint64_t candidates_for_zeros(std::uint64_t q, double p_zero) {
  if (!(p_zero > 0) || p_zero > 1) {
    fail(ErrorKind::usage, "the chance of drawing a zero must be above 0 and at most 1, but is {}", p_zero);
  }
  if (q == 0 || p_zero == 1) return q;
  // Quantiles are rounded outwards to whole rejects: the chance to fall short stays below 1e-6.
  const boost::math::negative_binomial rejects(static_cast<double>(q), p_zero);
  return q + static_cast<std::uint64_t>(std::ceil(boost::math::quantile(rejects, 0.999999)));
}

double oversampling_rate(std::uint64_t q, double p_zero) {
  if (q == 0) fail(ErrorKind::usage, "the oversampling rate needs at least one zero to draw");
  return static_cast<double>(candidates_for_zeros(q, p_zero)) / static_cast<double>(q) * p_zero;
}

}  // namespace polyad
