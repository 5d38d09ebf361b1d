#pragma once
// How improbable a value is under a law, as the logarithm of a probability: a burst of 1000 where 1 was expected has one of
// 10^-2568, which no double holds, and still ranks before one of 900.
//
// The p of a value x is two-sided: twice the smaller of both tails. Where values are discrete, half of P(x) counts (mid-p), so that p
// of data drawn from the law is 1/2 on average, as for continuous data.
//
//   lower = P(X < x) + P(x) / 2      upper = P(X > x) + P(x) / 2      p = 2 min(lower, upper)
//
// Counts are given by mean and variance: the one law of Panjer's class that has them. It is exact for single cells and for the
// sums that matter, and close for other sums, whose first two moments it has.
//
//   variance = mean   poisson                 sums of poisson counts are poisson
//   variance > mean   negative binomial       sums of counts with the same variance/mean are negative binomial
//   variance < mean   binomial                sums of yes/no answers of the same probability are binomial
//
// A tail is its first term times a sum of ratios of probabilities that falls off geometrically: some 10 to 100 ns. Counts with a
// standard deviation above 400 go to Boost.Math (incomplete gamma and beta functions), as gamma laws do.

#include <utility>

namespace polyad {

struct Tail {
  double log_p = 0;  ///< natural logarithm of the two-sided p, at most 0
  int side = 0;      ///< 1: more than expected, -1: less, 0: neither (p = 1)
};

/// x >= 0 and whole; mean > 0, variance > 0.
Tail count_tail(double mean, double variance, double x);
/// Of a poisson count given that it is at least 1; `rate` is the mean without that condition.
Tail truncated_count_tail(double rate, double x);
/// Of (x - mean) / standard deviation.
Tail normal_tail(double z);
/// Mean > 0, shape > 0; variance mean^2 / shape.
Tail gamma_tail(double mean, double shape, double x);
/// Of the law with density proportional to x exp(-x^2 / (2 sigma^2)).
Tail rayleigh_tail(double mean, double x);

/// The values between which a share `level` of such counts lie: at most (1 - level) / 2 below, and as many above.
std::pair<double, double> count_interval(double mean, double variance, double level);

}  // namespace polyad
