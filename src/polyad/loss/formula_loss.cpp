#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/loss/expression.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace polyad {

namespace {

constexpr std::array<std::string_view, 6> domain_words = {"real",   "nonnegative", "positive",
                                                          "binary", "count",       "positive-count"};

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

struct FormulaLoss {
  std::string formula;
  std::string text;  ///< with its settings, as it is written
  double lower;
  Domain domain;
  ZeroSum zero_sum;
  double zero_slope;
  FormulaProgram value;
  FormulaProgram slope;

  LossInfo instance_info() const {
    return {.name = "expr",
            .formula = formula,
            .data = describe(domain),
            .link = "m is what the formula says",
            .lower = lower,
            .domain = domain,
            .zero_sum = zero_sum,
            .zero_slope = zero_slope};
  }
  std::string spec() const { return "expr:" + text; }
  void values(std::size_t n, const double* x, const double* m, double* out) const { value.run(n, x, m, out); }
  void derivatives(std::size_t n, const double* x, const double* m, double* out) const { slope.run(n, x, m, out); }
};

// Some data that the domain allows.
std::vector<double> examples(Domain domain) {
  std::vector<double> out;
  for (const double x : {-1.0, 0.0, 0.5, 1.0, 3.0}) {
    if (contains(domain, x)) out.push_back(x);
  }
  return out;
}

bool finite_at_bound(const FormulaProgram& program, double lower, Domain domain) {
  for (const double x : examples(domain)) {
    double out = 0;
    program.run(1, &x, &lower, &out);
    if (!std::isfinite(out)) return false;
  }
  return true;
}

}  // namespace

std::string_view word_of_domain(Domain domain) {
  return domain_words[static_cast<std::size_t>(domain)];
}

Domain domain_of_word(std::string_view word) {
  const std::string_view one = word == "counts" ? word.substr(0, 5) : word;
  for (std::size_t i = 0; i < domain_words.size(); ++i) {
    if (domain_words[i] == one) return static_cast<Domain>(i);
  }
  fail(ErrorKind::usage, "loss: domain '{}' is not one of {}{}", word, joined(domain_words, ", "),
       did_you_mean(word, domain_words));
}

Loss formula_loss(const std::string& text, double lower, Domain domain) {
  Formula formula;
  Formula::Node value = parse_formula(text, formula);
  if (!formula.depends_on_m(value)) {
    fail(ErrorKind::usage, "loss 'expr:{}' does not depend on m, the model: there is nothing to minimise", text);
  }
  if (std::isnan(lower) || lower == std::numeric_limits<double>::infinity()) {
    fail(ErrorKind::usage, "loss 'expr:{}': lower must be a number (is {})", text, lower);
  }
  Formula::Node slope = formula.derivative(value);
  if (std::isfinite(lower) &&
      !(finite_at_bound({formula, value}, lower, domain) && finite_at_bound({formula, slope}, lower, domain))) {
    value = formula.with_room(value, lower, loss_epsilon);
    slope = formula.derivative(value);
  }
  const Formula::Node at_zero = formula.with_x(value, 0);
  const Formula::Node square = formula.apply(FormulaOp::multiply, formula.m(), formula.m());
  const Formula::Node slope_at_zero = formula.with_x(slope, 0);
  const bool constant_slope = formula[slope_at_zero].op == FormulaOp::constant;
  std::string full = text;
  if (lower != no_bound) full += fmt::format("; lower={}", lower);
  if (domain != Domain::real) full += fmt::format("; domain={}", word_of_domain(domain));
  return Loss::of(FormulaLoss{
      .formula = text,
      .text = full,
      .lower = lower,
      .domain = domain,
      .zero_sum = at_zero == formula.m() ? ZeroSum::linear
                  : at_zero == square    ? ZeroSum::quadratic
                                         : ZeroSum::none,
      .zero_slope = constant_slope ? formula[slope_at_zero].value : std::numeric_limits<double>::quiet_NaN(),
      .value = {formula, value},
      .slope = {formula, slope}});
}

Loss parse_formula_loss(std::string_view text) {
  const std::size_t first = text.find(';');
  const std::string formula(without_blanks(text.substr(0, first)));
  double lower = no_bound;
  Domain domain = Domain::real;
  std::string_view rest = first == std::string_view::npos ? std::string_view() : text.substr(first + 1);
  while (!without_blanks(rest).empty()) {
    const std::string_view setting = without_blanks(rest.substr(0, rest.find(';')));
    rest = rest.find(';') == std::string_view::npos ? std::string_view() : rest.substr(rest.find(';') + 1);
    const std::size_t equals = setting.find('=');
    const std::string_view name = without_blanks(setting.substr(0, equals));
    const std::string_view word =
        equals == std::string_view::npos ? std::string_view() : without_blanks(setting.substr(equals + 1));
    if (name == "lower") {
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), lower);
      if (error != std::errc{} || end != word.data() + word.size()) {
        fail(ErrorKind::usage, "loss 'expr:{}': lower: '{}' is not a number", text, word);
      }
    } else if (name == "domain") {
      domain = domain_of_word(word);
    } else {
      fail(ErrorKind::usage, "loss 'expr:{}': '{}' is neither lower=NUMBER nor domain=WORD", text, setting);
    }
  }
  if (formula.empty()) fail(ErrorKind::usage, "loss 'expr:' needs a formula of x and m, as in 'expr:(x - m)**2'");
  return formula_loss(formula, lower, domain);
}

}  // namespace polyad
