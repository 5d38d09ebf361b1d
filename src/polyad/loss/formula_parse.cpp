// Recursive descent over C expressions, by rising precedence.

#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/loss/expression.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

namespace polyad {

namespace {

using Node = Formula::Node;

struct Function {
  std::string_view name;
  std::size_t arguments;
  FormulaOp op;
};
constexpr std::array<Function, 11> functions = {{{"abs", 1, FormulaOp::abs},
                                                 {"fabs", 1, FormulaOp::abs},
                                                 {"cos", 1, FormulaOp::cos},
                                                 {"exp", 1, FormulaOp::exp},
                                                 {"expm1", 1, FormulaOp::expm1},
                                                 {"log", 1, FormulaOp::log},
                                                 {"log1p", 1, FormulaOp::log1p},
                                                 {"pow", 2, FormulaOp::pow},
                                                 {"sin", 1, FormulaOp::sin},
                                                 {"sqrt", 1, FormulaOp::sqrt},
                                                 {"tanh", 1, FormulaOp::tanh}}};
constexpr std::array<std::string_view, 15> known = {"abs", "cos", "exp",  "expm1", "log", "log1p", "max", "min",
                                                    "pow", "sin", "sqrt", "tanh",  "x",   "m",     "pi"};
constexpr int deepest = 200;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Parser {
 public:
  Parser(std::string_view text, Formula& formula) : text_(text), formula_(formula) {}

  Node all() {
    const Node node = choice();
    skip_blanks();
    if (at_ < text_.size()) wrong("here an operator or the end was expected");
    return node;
  }

 private:
  [[noreturn]] void wrong(std::string_view what, std::size_t column) const {
    fail(ErrorKind::usage, "loss 'expr:{}', column {}: {}", text_, column + 1, what);
  }
  [[noreturn]] void wrong(std::string_view what) const { wrong(what, at_); }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  // Whether this operator comes next, and not a longer one that begins alike.
  bool take(std::string_view symbol, std::string_view not_before = {}) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    const std::size_t after = at_ + symbol.size();
    if (after < text_.size() && not_before.find(text_[after]) != std::string_view::npos) return false;
    at_ = after;
    return true;
  }
  void expect(std::string_view symbol) {
    if (!take(symbol)) wrong(fmt::format("'{}' was expected", symbol));
  }
  Node make(FormulaOp op, Node a, Node b = 0, Node c = 0) { return formula_.apply(op, a, b, c); }
  Node truth(Node a) { return make(FormulaOp::select, a, formula_.constant(1), formula_.constant(0)); }
  Node negation(Node a) { return make(FormulaOp::select, a, formula_.constant(0), formula_.constant(1)); }

  Node choice() {
    if (++depth_ > deepest) wrong("the formula is nested too deeply");
    Node node = either();
    if (take("?")) {
      const Node yes = choice();
      expect(":");
      node = make(FormulaOp::select, node, yes, choice());
    }
    --depth_;
    return node;
  }
  Node either() {
    Node a = both();
    while (take("||")) a = make(FormulaOp::select, a, formula_.constant(1), truth(both()));
    return a;
  }
  Node both() {
    Node a = comparison();
    while (take("&&")) a = make(FormulaOp::select, a, truth(comparison()), formula_.constant(0));
    return a;
  }
  Node comparison() {
    const Node a = sum();
    if (take("<=")) return negation(make(FormulaOp::less, sum(), a));
    if (take(">=")) return negation(make(FormulaOp::less, a, sum()));
    if (take("==")) return make(FormulaOp::equal, a, sum());
    if (take("!=")) return negation(make(FormulaOp::equal, a, sum()));
    if (take("<")) return make(FormulaOp::less, a, sum());
    if (take(">")) return make(FormulaOp::less, sum(), a);
    return a;
  }
  Node sum() {
    Node a = product();
    for (;;) {
      if (take("+")) {
        a = make(FormulaOp::add, a, product());
      } else if (take("-")) {
        a = make(FormulaOp::subtract, a, product());
      } else {
        return a;
      }
    }
  }
  Node product() {
    Node a = sign();
    for (;;) {
      if (take("*", "*")) {
        a = make(FormulaOp::multiply, a, sign());
      } else if (take("/")) {
        a = make(FormulaOp::divide, a, sign());
      } else {
        return a;
      }
    }
  }
  Node sign() {
    if (++depth_ > deepest) wrong("the formula is nested too deeply");
    Node a = 0;
    if (take("-")) {
      a = make(FormulaOp::negate, sign());
    } else if (take("+")) {
      a = sign();
    } else if (take("!", "=")) {
      a = negation(sign());
    } else {
      a = power();
    }
    --depth_;
    return a;
  }
  Node power() {
    const Node base = operand();
    if (!take("**")) return base;
    return make(FormulaOp::pow, base, sign());
  }
  Node operand() {
    skip_blanks();
    if (at_ >= text_.size()) wrong("the formula ends where a number, x, m or a function was expected");
    const char c = text_[at_];
    if (take("(")) {
      const Node inner = choice();
      expect(")");
      return inner;
    }
    if (is_digit(c) || c == '.') return number();
    if (is_letter(c)) return name();
    if (c == '^') wrong("'^' is no power here: write pow(a, b) or a ** b");
    wrong(fmt::format("'{}' cannot stand here; a number, x, m or a function was expected", c));
  }
  Node number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) wrong("this is not a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return formula_.constant(value);
  }
  Node name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word == "x") return formula_.x();
    if (word == "m") return formula_.m();
    if (word == "pi") return formula_.constant(std::numbers::pi);
    const bool least = word == "min" || word == "fmin";
    if (least || word == "max" || word == "fmax") {
      const auto [a, b] = two_arguments(word);
      return make(FormulaOp::select, least ? make(FormulaOp::less, b, a) : make(FormulaOp::less, a, b), b, a);
    }
    for (const Function& function : functions) {
      if (function.name != word) continue;
      if (function.arguments == 2) {
        const auto [a, b] = two_arguments(word);
        return make(function.op, a, b);
      }
      expect_call(word);
      const Node a = choice();
      if (take(",")) wrong(fmt::format("{} takes one argument", word), at_ - 1);
      expect(")");
      return make(function.op, a);
    }
    wrong(fmt::format("'{}' is not known{}; there are {}", word, did_you_mean(word, known), joined(known, ", ")),
          begin);
  }
  void expect_call(std::string_view word) {
    if (!take("(")) wrong(fmt::format("'(' was expected after {}", word));
  }
  std::pair<Node, Node> two_arguments(std::string_view word) {
    expect_call(word);
    const Node a = choice();
    if (!take(",")) wrong(fmt::format("{} takes two arguments, separated by a comma", word));
    const Node b = choice();
    expect(")");
    return {a, b};
  }

  std::string_view text_;
  Formula& formula_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Formula::Node parse_formula(std::string_view text, Formula& formula) {
  return Parser(text, formula).all();
}

}  // namespace polyad
