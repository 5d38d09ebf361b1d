#include <polyad/loss/block.hpp>

namespace polyad {

double Loss::value(double x, double m) const {
  double out = 0;
  values(1, &x, &m, &out);
  return out;
}

double Loss::derivative(double x, double m) const {
  double out = 0;
  derivatives(1, &x, &m, &out);
  return out;
}

Loss Loss::in_units_of(double unit) const {
  Loss other = with_sizes_divided_ == nullptr ? *this : with_sizes_divided_(math_.get(), unit);
  other.data_scale_ = data_scale_ / unit;
  return other;
}

namespace detail {

void check_loss_parameter(std::string_view loss, std::string_view parameter, double value, double above,
                          std::string (*broken)(double)) {
  if (!std::isfinite(value)) {
    fail(ErrorKind::usage, "loss {}: {} must be a finite number (is {})", loss, parameter, value);
  }
  if (!(value > above)) fail(ErrorKind::usage, "loss {}: {} must be above {} (is {})", loss, parameter, above, value);
  if (broken == nullptr) return;
  if (const std::string rule = broken(value); !rule.empty()) {
    fail(ErrorKind::usage, "loss {}: {} {} (is {})", loss, parameter, rule, value);
  }
}

std::string loss_spec(std::string_view name, const std::vector<std::pair<std::string, double>>& parameters) {
  std::string spec(name);
  char separator = ':';
  for (const auto& [parameter, value] : parameters) {
    spec += fmt::format("{}{}={}", separator, parameter, value);
    separator = ',';
  }
  return spec;
}

}  // namespace detail

}  // namespace polyad
