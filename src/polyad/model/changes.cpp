#include <polyad/model/changes.hpp>

#include <polyad/base/fields.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

// Columns by mode and component, scaled so that they can be compared: sums of 1 where all is nonnegative, else length 1.
struct Columns {
  explicit Columns(const KTensor& model) {
    plain = std::ranges::all_of(model.factors.flat(), [](double a) { return a >= 0; });
    for (std::size_t j = 0; j < model.rank(); ++j) {
      double strength = model.weights[j];
      for (std::size_t k = 0; k < model.modes(); ++k) {
        const std::size_t n = model.factors.rows(k);
        double sum = 0, squares = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const double a = model.factors.at(k, i, j);
          sum += a;
          squares += a * a;
        }
        lengths.push_back(std::sqrt(squares));
        sizes.push_back(plain ? sum : std::sqrt(squares));
        strength *= plain ? sum / static_cast<double>(n) : std::sqrt(squares / static_cast<double>(n));
      }
      strengths.push_back(std::abs(strength));
    }
  }

  bool plain = true;
  std::vector<double> strengths;
  std::vector<double> lengths, sizes;  // by component, then mode
};

double ratio(double value, double size) {
  return size > 0 ? value / size : 0.0;
}

}  // namespace

ModelChanges changes(const KTensor& a, const LabelledSpace& space_a, const KTensor& b, const LabelledSpace& space_b,
                     const ChangeOptions& options) {
  validate_fields(options);
  ModelChanges out;
  out.shared = shared_models(a, space_a, b, space_b);
  const KTensor& first = out.shared.a;
  const KTensor& second = out.shared.b;
  out.score = score(first, second);
  const Columns of_a(first), of_b(second);
  const std::size_t d = first.modes();
  std::vector<bool> taken(second.rank());
  for (std::size_t p = 0; p < first.rank(); ++p) {
    ComponentChange component{.of_a = p, .change = Change::gone, .before = of_a.strengths[p]};
    const std::size_t q = out.score.match[p];
    if (q != Score::npos && out.score.cosines[p] >= options.alike) {
      taken[q] = true;
      component.of_b = q;
      component.likeness = out.score.cosines[p];
      component.after = of_b.strengths[q];
      const double change = component.before > 0 ? component.after / component.before - 1 : 0;
      component.change = change > options.least_change                                 ? Change::stronger
                         : change < -options.least_change / (1 + options.least_change) ? Change::weaker
                                                                                       : Change::same;
      for (std::size_t k = 0; k < d; ++k) {
        const double length_a = of_a.lengths[p * d + k], length_b = of_b.lengths[q * d + k];
        const double size_a = of_a.sizes[p * d + k], size_b = of_b.sizes[q * d + k];
        double product = 0;
        std::vector<LabelChange> labels;
        const auto& rows = out.shared.labels.modes[out.shared.modes[k]].rows;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const double x = first.factors.at(k, i, p), y = second.factors.at(k, i, q);
          product += ratio(x, length_a) * ratio(y, length_b);
          labels.push_back({rows[i].first, rows[i].second, ratio(x, size_a), ratio(y, size_b)});
        }
        component.modes.push_back(std::clamp(product, -1.0, 1.0));
        const std::size_t count = std::min<std::size_t>(options.top, labels.size());
        std::partial_sort(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(count), labels.end(),
                          [](const LabelChange& x, const LabelChange& y) {
                            const double dx = std::abs(x.after - x.before), dy = std::abs(y.after - y.before);
                            return dx != dy ? dx > dy : x.of_a < y.of_a;
                          });
        labels.resize(count);
        component.labels.push_back(std::move(labels));
      }
    }
    out.components.push_back(std::move(component));
  }
  for (std::size_t q = 0; q < second.rank(); ++q) {
    if (!taken[q]) out.components.push_back({.of_b = q, .change = Change::appeared, .after = of_b.strengths[q]});
  }
  return out;
}

}  // namespace polyad
