#include <polyad/loss/loss.hpp>

namespace polyad {

std::string_view describe(Domain domain) {
  switch (domain) {
    case Domain::real:
      return "any numbers";
    case Domain::nonnegative:
      return "numbers of at least 0";
    case Domain::positive:
      return "numbers above 0";
    case Domain::binary:
      return "0 and 1";
    case Domain::count:
      return "whole numbers 0, 1, 2, ...";
    case Domain::positive_count:
      return "whole numbers 1, 2, 3, ...";
  }
  return "";
}

bool contains(Domain domain, double x) {
  if (!std::isfinite(x)) return false;
  const bool whole = x == std::floor(x);
  switch (domain) {
    case Domain::real:
      return true;
    case Domain::nonnegative:
      return x >= 0;
    case Domain::positive:
      return x > 0;
    case Domain::binary:
      return x == 0 || x == 1;
    case Domain::count:
      return whole && x >= 0;
    case Domain::positive_count:
      return whole && x >= 1;
  }
  return false;
}

}  // namespace polyad
