#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/optim/rules.hpp>

#include <vector>

namespace polyad {

namespace {

template <class T>
void check_moment(const AlignedVector<T>& moment, bool used, std::size_t n) {
  if (!used || moment.size() == n) return;
  fail(ErrorKind::usage, "optimizer step: {} parameters but moments for {}: make them with start({})", n, moment.size(),
       n);
}

template <class T>
void check_step(OptimizerKind kind, std::size_t n, std::size_t gradient, const MomentsOf<T>& moments,
                std::span<const Segment> segments) {
  if (gradient != n) fail(ErrorKind::usage, "optimizer step: {} parameters but a gradient of {}", n, gradient);
  const Moment keeps = info_of(kind).keeps;
  check_moment(moments.first, has(keeps, Moment::first), n);
  check_moment(moments.second, has(keeps, Moment::second), n);
  check_moment(moments.peak, has(keeps, Moment::peak), n);
  for (const Segment& s : segments) {
    if (s.begin > n || s.size > n - s.begin) {
      fail(ErrorKind::usage, "optimizer step: segment of {} from {} is beyond the {} parameters", s.size, s.begin, n);
    }
  }
}

}  // namespace

std::span<const std::string_view> words_of(OptimizerKind) {
  static const std::vector<std::string_view> words = [] {
    std::vector<std::string_view> all;
    for (const RuleInfo& rule : all_rules()) all.push_back(rule.word);
    return all;
  }();
  return words;
}

const RuleInfo& info_of(OptimizerKind kind) {
  const auto number = static_cast<std::size_t>(kind);
  if (number >= all_rules().size()) fail(ErrorKind::usage, "`optimizer`: no rule has number {}", number);
  return all_rules()[number];
}

std::vector<OptionUser> optimizer_users(OptimizerKind chosen) {
  std::vector<OptionUser> users;
  for (const RuleInfo& rule : all_rules()) {
    users.push_back({"optimizer", rule.word, rule.uses, &rule == &info_of(chosen)});
  }
  return users;
}

Optimizer::Optimizer(const OptimizerOptions& options) : options_(options) {
  validate_fields(options);
  info_of(options.kind);
}

template <class T>
MomentsOf<T> Optimizer::start(std::size_t n) const {
  const Moment keeps = info_of(options_.kind).keeps;
  MomentsOf<T> m;
  if (has(keeps, Moment::first)) m.first.assign(n, T{0});
  if (has(keeps, Moment::second)) m.second.assign(n, T{0});
  if (has(keeps, Moment::peak)) m.peak.assign(n, T{0});
  return m;
}

StepNumbers Optimizer::numbers(std::uint64_t steps, double rate, double gradient_scale) const {
  StepNumbers n;
  n.rate = rate;
  n.epsilon = options_.epsilon.value_or(paper_epsilon);
  n.gradient_scale = gradient_scale;
  detail::complete_numbers(options_, steps, n);
  return n;
}

template <class T>
void Optimizer::step_and_clear(const StepNumbers& numbers, const StepArrays<T>& piece, double lower,
                               double upper) const {
  detail::run_step(options_.kind, options_.form, numbers, piece, {lower, upper}, true);
}

template <class T>
void Optimizer::step(std::span<T> parameters, std::span<const T> gradient, MomentsOf<T>& moments, double rate,
                     std::span<const Segment> segments) const {
  check_step(options_.kind, parameters.size(), gradient.size(), moments, segments);
  const StepNumbers n = numbers(++moments.steps, rate);
  // Not written to: `clear` is false.
  const std::span<T> unchanged{const_cast<T*>(gradient.data()), gradient.size()};  // NOLINT
  for (const Segment& s : segments) {
    if (s.fixed) continue;
    detail::run_step(options_.kind, options_.form, n, piece_of(parameters, unchanged, moments, s.begin, s.size),
                     {s.lower, s.upper}, false);
  }
}

std::unique_ptr<Optimizer> make_optimizer(const OptimizerOptions& options) {
  return std::make_unique<Optimizer>(options);
}

template MomentsOf<double> Optimizer::start(std::size_t) const;
template MomentsOf<float> Optimizer::start(std::size_t) const;
template void Optimizer::step_and_clear(const StepNumbers&, const StepArrays<double>&, double, double) const;
template void Optimizer::step_and_clear(const StepNumbers&, const StepArrays<float>&, double, double) const;
template void Optimizer::step<double>(std::span<double>, std::span<const double>, MomentsOf<double>&, double,
                                      std::span<const Segment>) const;
template void Optimizer::step<float>(std::span<float>, std::span<const float>, MomentsOf<float>&, double,
                                     std::span<const Segment>) const;

}  // namespace polyad
