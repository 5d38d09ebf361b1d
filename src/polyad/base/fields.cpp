#include <polyad/fields.hpp>

#include <fmt/format.h>

#include <cmath>

namespace polyad {

namespace {

bool is_power_of_two(double value) {
  int exponent = 0;
  return value > 0 && std::isfinite(value) && std::frexp(value, &exponent) == 0.5;
}

}  // namespace

std::string Rule::broken_by(double value) const {
  switch (kind) {
    case Kind::none:
      return {};
    case Kind::at_least:
      return value >= low ? std::string() : fmt::format("must be at least {}", low);
    case Kind::above:
      return value > low ? std::string() : fmt::format("must be above {}", low);
    case Kind::within:
      return value >= low && value <= high ? std::string() : fmt::format("must be between {} and {}", low, high);
    case Kind::count:
      if (value < low) return fmt::format("must be at least {}", low);
      return value <= high ? std::string() : fmt::format("must be at most {}", high);
    case Kind::power_of_two:
      return is_power_of_two(value) ? std::string() : "must be a power of two, such as 1, 1024 or 0.25";
    case Kind::decay_factor:
      return value >= 0 && value < 1 ? std::string() : "must be at least 0 and below 1";
  }
  return {};
}

}  // namespace polyad
