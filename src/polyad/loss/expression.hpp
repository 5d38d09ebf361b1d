#pragma once
// A loss from a formula that is known only at run time: "m - x*log(m)". It needs no compiler: the formula becomes a list of
// instructions, each of which works on whole vectors, and so does its derivative with respect to m, which is found by the rules
// of differentiation.
//
// Formulas are C expressions of x (the data) and m (the model): + - * / ( ), comparisons, && || !, c ? a : b, numbers, pi,
// and abs cos exp expm1 log log1p max min pow sin sqrt tanh; a ** b is pow(a, b).
//
// Cost of an entry: about that of the same mathematics in C++, plus a tenth of a nanosecond per instruction.

#include <polyad/loss.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

/// The operations of a formula. A comparison is 1 where it holds, else 0.
enum class FormulaOp : std::uint8_t {
  constant,
  x,
  m,
  add,
  subtract,
  multiply,
  divide,
  negate,
  less,
  equal,
  select,
  abs,
  cos,
  exp,
  expm1,
  log,
  log1p,
  pow,
  sin,
  sqrt,
  tanh
};

/// A formula as a list of operations on earlier ones. Equal parts exist once, and what is constant is computed at once.
class Formula {
 public:
  using Node = std::uint32_t;
  struct Entry {
    FormulaOp op = FormulaOp::constant;
    Node a = 0, b = 0, c = 0;  ///< operands; unused ones are 0
    double value = 0;          ///< of a constant
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  Node constant(double value);
  Node x() { return enter({FormulaOp::x}); }
  Node m() { return enter({FormulaOp::m}); }
  /// The result of an operation, in its simplest form.
  Node apply(FormulaOp op, Node a, Node b = 0, Node c = 0);
  /// d/dm of a node.
  Node derivative(Node node);
  /// The node with x replaced by a number.
  Node with_x(Node node, double x);
  /// The node with `room` added to what is 0 at m = lower and stands in a logarithm, a power or below a fraction bar.
  Node with_room(Node node, double lower, double room);

  const Entry& operator[](Node node) const { return entries_[node]; }
  std::size_t size() const { return entries_.size(); }
  bool depends_on_m(Node node) const;

 private:
  Node enter(const Entry& entry);
  Node simplified(const Entry& entry);
  bool is(Node node, double value) const;

  std::vector<Entry> entries_;
  std::vector<std::pair<Entry, Node>> index_;  // sorted
};

/// Reads a formula into `formula`; a usage error shows the column of what cannot be read.
Formula::Node parse_formula(std::string_view text, Formula& formula);

/// The instructions that compute one node, over blocks.
class FormulaProgram {
 public:
  FormulaProgram(const Formula& formula, Formula::Node result);
  void run(std::size_t n, const double* x, const double* m, double* out) const;

  struct Instruction {
    FormulaOp op;
    std::uint16_t a, b, c;
    double value;
  };
  const std::vector<Instruction>& instructions() const { return instructions_; }
  static constexpr std::size_t most = 250;

 private:
  std::vector<Instruction> instructions_;
};

/// A loss from a formula. Where it is not finite at its lower bound, loss_epsilon is added inside its logarithms and divisors,
/// as in polyad's own losses. That f(0, m) is m or m^2 is recognised. A usage error where the formula does not depend on m.
Loss formula_loss(const std::string& formula, double lower = no_bound, Domain domain = Domain::real);

/// Reads "m - x*log(m); lower=0; domain=count": what stands after "expr:" in the name of a loss.
Loss parse_formula_loss(std::string_view text);

/// The words of domains in such a text: "real", "nonnegative", "positive", "binary", "count", "positive-count".
std::string_view word_of_domain(Domain domain);
/// The reverse; also takes "counts". A usage error lists the words.
Domain domain_of_word(std::string_view word);

}  // namespace polyad
