#pragma once
// THE list of built-in losses. A new one is its header, a line here, and a golden row in the tests; look-up by name, help,
// documentation and the conformance suite follow.

#include <polyad/loss.hpp>
#include <polyad/loss/bernoulli_logit.hpp>
#include <polyad/loss/bernoulli_odds.hpp>
#include <polyad/loss/beta_divergence.hpp>
#include <polyad/loss/gamma.hpp>
#include <polyad/loss/gaussian.hpp>
#include <polyad/loss/huber.hpp>
#include <polyad/loss/negative_binomial.hpp>
#include <polyad/loss/poisson.hpp>
#include <polyad/loss/poisson_log.hpp>
#include <polyad/loss/rayleigh.hpp>
#include <polyad/loss/zero_truncated_poisson.hpp>

#include <tuple>

namespace polyad {

using AllLosses = std::tuple<  //
    Gaussian,                  //
    Huber,                     //
    Poisson,                   //
    PoissonLog,                //
    NegativeBinomial,          //
    ZeroTruncatedPoisson,      //
    BernoulliOdds,             //
    BernoulliLogit,            //
    Gamma,                     //
    Rayleigh,                  //
    BetaDivergence>;

}  // namespace polyad
