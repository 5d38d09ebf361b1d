#include <polyad/model.hpp>
#include <polyad/report/text/readable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polyad {

namespace {

void drop_non_finite(KTensor& model) {
  const auto drop = [](double& v) {
    if (!std::isfinite(v)) v = 0;
  };
  std::for_each(model.weights.begin(), model.weights.end(), drop);
  for (double& v : model.factors.flat()) drop(v);
}

}  // namespace

ReadableModel readable(const KTensor& given) {
  ReadableModel out{given, true, {}};
  drop_non_finite(out.model);
  out.nonnegative = is_nonnegative(out.model);
  normalize(out.model, out.nonnegative ? ColumnNorm::one : ColumnNorm::two);
  if (!out.nonnegative) resolve_signs(out.model);
  if (out.nonnegative) {
    const double total = std::accumulate(out.model.weights.begin(), out.model.weights.end(), 0.0);
    for (const double weight : out.model.weights) out.shares.push_back(total > 0 ? weight / total : 0);
  }
  return out;
}

std::string size_text(const ReadableModel& shown, std::size_t j) {
  const std::string size = short_number(shown.model.weights[j]);
  return shown.nonnegative ? fmt::format("sum {}, {} of the total", size, percent(shown.shares[j]))
                           : fmt::format("norm {}", size);
}

std::string short_number(double value) {
  const double size = std::abs(value);
  if (size != 0 && (size >= 1e6 || size < 1e-3)) return fmt::format("{:.3g}", value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

std::string percent(double share) {
  const double value = 100 * share;
  if (value >= 9.95 || value == 0) return fmt::format("{:.0f} %", value);
  if (value < 1e-4) return "<0.0001 %";
  if (value < 0.095) return fmt::format("{:.1g} %", value);
  return fmt::format("{:.1f} %", value);
}

}  // namespace polyad
