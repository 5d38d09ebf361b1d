// A loss of your own: its value is enough, the derivative comes from dual numbers. log cosh(x - m) is nearly quadratic close to
// the data and nearly linear far from it, so that one wild value does not spoil the fit.

#include <polyad/polyad.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

struct LogCosh {
  static constexpr polyad::LossInfo info = {
      .name = "log-cosh",
      .formula = "log cosh(x - m)",
      .data = "numbers with a few wild ones",
      .link = "m is the expected value",
  };

  template <class T>
  T value(T x, T m) const {
    using std::abs, std::exp, std::log1p;
    const T distance = abs(x - m);
    return distance + log1p(exp(-2.0 * distance)) - std::log(2.0);
  }
};

constexpr std::uint64_t extent = 8;
constexpr polyad::Index wild[] = {3, 3, 3};

double truth(std::uint64_t i, std::uint64_t j, std::uint64_t k) {
  return 0.5 * static_cast<double>((1 + i) * (1 + j % 3) * (1 + k % 2));
}

// A product of three vectors, but for one cell.
polyad::Tensor make_measurements() {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < extent; ++i) {
    for (std::uint64_t j = 0; j < extent; ++j) {
      for (std::uint64_t k = 0; k < extent; ++k) {
        const bool spoilt = i == wild[0] && j == wild[1] && k == wild[2];
        values.push_back(spoilt ? 1000 : truth(i, j, k));
      }
    }
  }
  return polyad::Tensor::dense({extent, extent, extent}, std::move(values));
}

}  // namespace

int main() {
  const polyad::Tensor tensor = make_measurements();
  polyad::FitOptions options;
  options.rank = 1;

  const polyad::FitResult robust = polyad::fit(tensor, polyad::Loss::of(LogCosh{}), options);
  const polyad::FitResult usual = polyad::fit(tensor, polyad::parse_loss("gaussian"), options);

  std::printf("true value behind the wild one: %.2f\n", truth(wild[0], wild[1], wild[2]));
  std::printf("  log-cosh says %.2f\n", polyad::value_at(robust.model, wild));
  std::printf("  gaussian says %.2f\n", polyad::value_at(usual.model, wild));
}
