#include <polyad/loss.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/simd_target.hpp>

#include <algorithm>

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

static_assert(words_of(SimdTarget{}).size() == detail::instruction_sets);
static_assert(static_cast<std::size_t>(SimdTarget::portable) == detail::in_portable);
static_assert(static_cast<std::size_t>(SimdTarget::sse4) == detail::in_sse4);
static_assert(static_cast<std::size_t>(SimdTarget::avx2) == detail::in_avx2);
static_assert(static_cast<std::size_t>(SimdTarget::avx512) == detail::in_avx512);

template <class T>
const Loss::Functions<T>& Loss::functions() const {
  const auto target = static_cast<std::size_t>(simd_target());
  if constexpr (sizeof(T) == sizeof(double)) {
    return table_->in_double[target];
  } else {
    return table_->in_single[target];
  }
}

template <class T>
void Loss::run(typename Functions<T>::Block function, std::size_t n, const T* x, const T* m, T* out) const {
  if (data_scale_ == 1) return function(math_.get(), n, x, m, out);
  std::array<T, 64> scaled;
  const T scale = static_cast<T>(data_scale_);
  for (std::size_t first = 0; first < n; first += scaled.size()) {
    const std::size_t count = std::min(scaled.size(), n - first);
    for (std::size_t t = 0; t < count; ++t) scaled[t] = x[first + t] * scale;
    function(math_.get(), count, scaled.data(), m + first, out + first);
  }
}

void Loss::values(std::size_t n, const double* x, const double* m, double* out) const {
  run(functions<double>().values, n, x, m, out);
}
void Loss::values(std::size_t n, const float* x, const float* m, float* out) const {
  run(functions<float>().values, n, x, m, out);
}
void Loss::derivatives(std::size_t n, const double* x, const double* m, double* out) const {
  run(functions<double>().derivatives, n, x, m, out);
}
void Loss::derivatives(std::size_t n, const float* x, const float* m, float* out) const {
  run(functions<float>().derivatives, n, x, m, out);
}

void Loss::curvatures(std::size_t n, const double* x, const double* m, double* out) const {
  run(table_->curvatures, n, x, m, out);
}

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
