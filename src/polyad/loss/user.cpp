#include <polyad/loss/user.hpp>

#include <polyad/loss/all.hpp>

namespace polyad::detail {

namespace {

// The names stand in model files and on command lines, where ':' starts the parameters.
void check_name(std::string_view name) {
  if (name.empty()) fail(ErrorKind::usage, "a user loss needs a name, such as 'my-loss'");
  if (name.find_first_of(":,= \t\n") != std::string_view::npos) {
    fail(ErrorKind::usage, "user loss '{}': a name cannot hold blanks or any of : , =", name);
  }
  for (const Loss& loss : all_losses()) {
    if (loss.name() == name) {
      fail(ErrorKind::usage, "user loss '{}': a built-in loss has this name; choose another", name);
    }
  }
}

// A wrong claim would make every zero of a sparse tensor count wrongly without any other sign.
void check_zero_sum(const Loss& loss) {
  const ZeroSum claim = loss.info().zero_sum;
  if (claim == ZeroSum::none) return;
  for (const double m : {0.0, 0.25, 1.0, 3.0, 100.0}) {
    const double claimed = claim == ZeroSum::linear ? m : m * m;
    const double actual = loss.value(0, m);
    if (!(std::abs(actual - claimed) <= 1e-12 * (1 + claimed))) {
      fail(ErrorKind::usage, "user loss '{}': zero_sum says f(0, m) = {}, but f(0, {}) is {}; leave zero_sum out",
           loss.name(), claim == ZeroSum::linear ? "m" : "m^2", m, actual);
    }
  }
}

}  // namespace

void check_user_loss(const Loss& loss) {
  check_name(loss.name());
  check_zero_sum(loss);
}

}  // namespace polyad::detail
