#pragma once
// THE list of built-in losses. Adding one = its header, a line here, and a golden row in the tests; look-up
// by name, help, documentation and the conformance suite follow.

#include <polyad/loss/bernoulli_logit.hpp>
#include <polyad/loss/bernoulli_odds.hpp>
#include <polyad/loss/beta_divergence.hpp>
#include <polyad/loss/block.hpp>
#include <polyad/loss/gamma.hpp>
#include <polyad/loss/gaussian.hpp>
#include <polyad/loss/huber.hpp>
#include <polyad/loss/negative_binomial.hpp>
#include <polyad/loss/poisson.hpp>
#include <polyad/loss/poisson_log.hpp>
#include <polyad/loss/rayleigh.hpp>
#include <polyad/loss/zero_truncated_poisson.hpp>

#include <span>
#include <string_view>
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

/// The built-in losses with default parameters, in the order of the list.
std::span<const Loss> all_losses();

/// Reads "poisson" or "huber:delta=0.5" (several parameters: "name:a=1,b=2"; those left out have their
/// defaults; blanks do not matter), or a formula: "expr:m - x*log(m); lower=0" (expression.hpp). parse_loss(l.spec()) is l again. A usage error names the nearest known
/// loss or parameter, and those there are.
Loss parse_loss(std::string_view spec);

}  // namespace polyad
