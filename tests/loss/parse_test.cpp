#include <polyad/base/error.hpp>
#include "grids.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace polyad {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string error_of(std::string_view spec) {
  try {
    parse_loss(spec);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    const std::string text = error.what();
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_FALSE(text.ends_with('.'));
    return text;
  }
  ADD_FAILURE() << "'" << spec << "' was accepted";
  return {};
}

TEST(ParseLoss, NamesAlone) {
  for (const Loss& loss : all_losses()) {
    const Loss parsed = parse_loss(loss.name());
    EXPECT_EQ(parsed.name(), loss.name());
    EXPECT_EQ(parsed.spec(), loss.spec());
  }
}

TEST(ParseLoss, Parameters) {
  EXPECT_EQ(parse_loss("huber:delta=0.5").parameters()[0].second, 0.5);
  EXPECT_EQ(parse_loss("huber:delta=0.5").value(0, 2), 1.75);
  EXPECT_EQ(parse_loss("negative-binomial:r=4").parameters()[0].first, "r");
  EXPECT_EQ(parse_loss("beta-divergence:beta=-1e-3").parameters()[0].second, -1e-3);
  EXPECT_EQ(parse_loss(" huber : delta = 0.5 ").spec(), "huber:delta=0.5");
}

TEST(ParseLoss, SpecsRoundTrip) {
  auto losses = testing::many_losses();
  losses.push_back(Loss::of(Huber{1.0 / 3}));
  losses.push_back(Loss::of(NegativeBinomial{1e-7}));
  losses.push_back(Loss::of(BetaDivergence{-1e20}));
  for (const Loss& loss : losses) {
    const Loss parsed = parse_loss(loss.spec());
    EXPECT_EQ(parsed.spec(), loss.spec());
    EXPECT_EQ(parsed.parameters(), loss.parameters());
    EXPECT_EQ(parsed.info().domain, loss.info().domain);
  }
}

TEST(ParseLoss, UnknownLoss) {
  EXPECT_EQ(error_of("poison"),
            "unknown loss 'poison' (did you mean 'poisson'?); the losses are gaussian, huber, poisson, "
            "poisson-log, "
            "negative-binomial, zero-truncated-poisson, bernoulli-odds, bernoulli-logit, gamma, rayleigh, "
            "beta-divergence, and expr:FORMULA");
  EXPECT_THAT(error_of("bernouli-logit:a=1"), HasSubstr("did you mean 'bernoulli-logit'?"));
  EXPECT_THAT(error_of("xyzzyxyzzy"), AllOf(Not(HasSubstr("did you mean")), HasSubstr("the losses are gaussian")));
  EXPECT_THAT(error_of(""), HasSubstr("unknown loss ''"));
}

TEST(ParseLoss, BadParameters) {
  EXPECT_EQ(error_of("huber:dleta=1"), "loss huber has no parameter 'dleta' (did you mean 'delta'?); it has delta");
  EXPECT_EQ(error_of("poisson:delta=1"), "loss poisson has no parameters, but is given 'delta=1'; write 'poisson'");
  EXPECT_EQ(error_of("huber:0.5"), "loss huber: '0.5' is not of the form name=value, as in 'huber:delta=1'");
  EXPECT_EQ(error_of("huber:"), "loss huber: '' is not of the form name=value, as in 'huber:delta=1'");
  EXPECT_EQ(error_of("huber:delta=half"), "loss huber: delta: 'half' is not a number");
  EXPECT_EQ(error_of("huber:delta="), "loss huber: delta: '' is not a number");
  EXPECT_EQ(error_of("huber:delta=0.5x"), "loss huber: delta: '0.5x' is not a number");
  EXPECT_EQ(error_of("huber:delta=1e999"), "loss huber: delta: '1e999' does not fit a double-precision number");
  EXPECT_EQ(error_of("huber:delta=0"), "loss huber: delta must be above 0 (is 0)");
  EXPECT_EQ(error_of("negative-binomial:r=-2"), "loss negative-binomial: r must be above 0 (is -2)");
  EXPECT_EQ(error_of("huber:delta=nan"), "loss huber: delta must be a finite number (is nan)");
  EXPECT_EQ(error_of("beta-divergence:beta=inf"), "loss beta-divergence: beta must be a finite number (is inf)");
  EXPECT_EQ(error_of("huber:delta=1,delta=2"), "loss huber: delta is given twice");
}

TEST(ParseLoss, ParametersAreCheckedFromCodeToo) {
  EXPECT_THROW(Loss::of(Huber{-1}), Error);
  EXPECT_THROW(Loss::of(NegativeBinomial{0}), Error);
}

}  // namespace
}  // namespace polyad
