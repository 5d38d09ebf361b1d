#include <polyad/base/error.hpp>
#include <polyad/loss/expression.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

// A constant such as log(2) is computed once, before the fit and its instruction set are known: in extended precision, which no
// library chooses by CPU.
double rounded(long double a) {
  return static_cast<double>(a);
}

double computed(FormulaOp op, double a, double b, double c) {
  const long double wide = a;
  switch (op) {
    case FormulaOp::add:
      return a + b;
    case FormulaOp::subtract:
      return a - b;
    case FormulaOp::multiply:
      return a * b;
    case FormulaOp::divide:
      return a / b;
    case FormulaOp::negate:
      return -a;
    case FormulaOp::less:
      return a < b ? 1 : 0;
    case FormulaOp::equal:
      return a == b ? 1 : 0;
    case FormulaOp::select:
      return a != 0 ? b : c;
    case FormulaOp::abs:
      return std::abs(a);
    case FormulaOp::cos:
      return rounded(std::cos(wide));
    case FormulaOp::exp:
      return rounded(std::exp(wide));
    case FormulaOp::expm1:
      return rounded(std::expm1(wide));
    case FormulaOp::log:
      return rounded(std::log(wide));
    case FormulaOp::log1p:
      return rounded(std::log1p(wide));
    case FormulaOp::pow:
      return rounded(std::pow(wide, static_cast<long double>(b)));
    case FormulaOp::sin:
      return rounded(std::sin(wide));
    case FormulaOp::sqrt:
      return std::sqrt(a);
    case FormulaOp::tanh:
      return rounded(std::tanh(wide));
    case FormulaOp::constant:
    case FormulaOp::x:
    case FormulaOp::m:
      break;
  }
  return 0;
}

std::size_t operands_of(FormulaOp op) {
  switch (op) {
    case FormulaOp::constant:
    case FormulaOp::x:
    case FormulaOp::m:
      return 0;
    case FormulaOp::add:
    case FormulaOp::subtract:
    case FormulaOp::multiply:
    case FormulaOp::divide:
    case FormulaOp::less:
    case FormulaOp::equal:
    case FormulaOp::pow:
      return 2;
    case FormulaOp::select:
      return 3;
    default:
      return 1;
  }
}

}  // namespace

Formula::Node Formula::enter(const Entry& entry) {
  const auto place = std::ranges::lower_bound(index_, entry, {}, &std::pair<Entry, Node>::first);
  if (place != index_.end() && place->first == entry) return place->second;
  const auto node = static_cast<Node>(entries_.size());
  entries_.push_back(entry);
  index_.insert(place, {entry, node});
  return node;
}

Formula::Node Formula::constant(double value) {
  return enter({.op = FormulaOp::constant, .value = value});
}

bool Formula::is(Node node, double value) const {
  return entries_[node].op == FormulaOp::constant && entries_[node].value == value;
}

Formula::Node Formula::apply(FormulaOp op, Node a, Node b, Node c) {
  const std::size_t operands = operands_of(op);
  if (operands < 3) c = 0;
  if (operands < 2) b = 0;
  const auto constant_operand = [&](Node node) { return entries_[node].op == FormulaOp::constant; };
  if (constant_operand(a) && (operands < 2 || constant_operand(b)) && (operands < 3 || constant_operand(c))) {
    return constant(
        computed(op, entries_[a].value, operands > 1 ? entries_[b].value : 0, operands > 2 ? entries_[c].value : 0));
  }
  return simplified({.op = op, .a = a, .b = b, .c = c});
}

Formula::Node Formula::simplified(const Entry& entry) {
  const auto [op, a, b, c, value] = entry;
  switch (op) {
    case FormulaOp::add:
      if (is(a, 0)) return b;
      if (is(b, 0)) return a;
      break;
    case FormulaOp::subtract:
      if (is(b, 0)) return a;
      if (is(a, 0)) return apply(FormulaOp::negate, b);
      if (a == b) return constant(0);
      break;
    case FormulaOp::multiply:
      if (is(a, 0) || is(b, 0)) return constant(0);
      if (is(a, 1)) return b;
      if (is(b, 1)) return a;
      if (is(a, -1)) return apply(FormulaOp::negate, b);
      if (is(b, -1)) return apply(FormulaOp::negate, a);
      if (entries_[a].op == FormulaOp::negate && entries_[b].op == FormulaOp::negate) {
        return apply(FormulaOp::multiply, entries_[a].a, entries_[b].a);
      }
      break;
    case FormulaOp::divide:
      if (is(a, 0)) return constant(0);
      if (is(b, 1)) return a;
      break;
    case FormulaOp::negate:
      if (entries_[a].op == FormulaOp::negate) return entries_[a].a;
      break;
    case FormulaOp::select:
      if (entries_[a].op == FormulaOp::constant) return entries_[a].value != 0 ? b : c;
      if (b == c) return b;
      break;
    case FormulaOp::pow:
      if (is(b, 0)) return constant(1);
      if (is(b, 1)) return a;
      if (is(b, 2)) return apply(FormulaOp::multiply, a, a);
      if (is(b, 0.5)) return apply(FormulaOp::sqrt, a);
      if (is(b, -1)) return apply(FormulaOp::divide, constant(1), a);
      break;
    default:
      break;
  }
  return enter(entry);
}

bool Formula::depends_on_m(Node node) const {
  std::vector<bool> depends(node + 1);
  for (Node n = 0; n <= node; ++n) {
    const Entry& e = entries_[n];
    const std::size_t operands = operands_of(e.op);
    depends[n] = e.op == FormulaOp::m || (operands > 0 && depends[e.a]) || (operands > 1 && depends[e.b]) ||
                 (operands > 2 && depends[e.c]);
  }
  return depends[node];
}

Formula::Node Formula::derivative(Node node) {
  // Operands come before what is made of them.
  std::vector<Node> slope(node + 1);
  const auto make = [&](FormulaOp op, Node a, Node b = 0, Node c = 0) { return apply(op, a, b, c); };
  for (Node n = 0; n <= node; ++n) {
    const Entry e = entries_[n];
    const std::size_t operands = operands_of(e.op);
    const Node da = operands > 0 ? slope[e.a] : 0;
    const Node db = operands > 1 ? slope[e.b] : 0;
    const auto times_da = [&](Node outer) { return make(FormulaOp::multiply, da, outer); };
    switch (e.op) {
      case FormulaOp::m:
        slope[n] = constant(1);
        break;
      case FormulaOp::constant:
      case FormulaOp::x:
      case FormulaOp::less:
      case FormulaOp::equal:
        slope[n] = constant(0);
        break;
      case FormulaOp::add:
      case FormulaOp::subtract:
        slope[n] = make(e.op, da, db);
        break;
      case FormulaOp::multiply:
        slope[n] = make(FormulaOp::add, times_da(e.b), make(FormulaOp::multiply, e.a, db));
        break;
      case FormulaOp::divide:
        slope[n] = make(FormulaOp::divide, make(FormulaOp::subtract, da, make(FormulaOp::multiply, n, db)), e.b);
        break;
      case FormulaOp::negate:
        slope[n] = make(FormulaOp::negate, da);
        break;
      case FormulaOp::select:
        slope[n] = make(FormulaOp::select, e.a, db, slope[e.c]);
        break;
      case FormulaOp::abs:
        slope[n] = make(FormulaOp::select, make(FormulaOp::less, e.a, constant(0)), make(FormulaOp::negate, da), da);
        break;
      case FormulaOp::cos:
        slope[n] = make(FormulaOp::negate, times_da(make(FormulaOp::sin, e.a)));
        break;
      case FormulaOp::sin:
        slope[n] = times_da(make(FormulaOp::cos, e.a));
        break;
      case FormulaOp::tanh:
        slope[n] = times_da(make(FormulaOp::subtract, constant(1), make(FormulaOp::multiply, n, n)));
        break;
      case FormulaOp::exp:
        slope[n] = times_da(n);
        break;
      case FormulaOp::expm1:
        slope[n] = times_da(make(FormulaOp::add, n, constant(1)));
        break;
      case FormulaOp::log:
        slope[n] = make(FormulaOp::divide, da, e.a);
        break;
      case FormulaOp::log1p:
        slope[n] = make(FormulaOp::divide, da, make(FormulaOp::add, constant(1), e.a));
        break;
      case FormulaOp::sqrt:
        slope[n] = make(FormulaOp::divide, make(FormulaOp::multiply, constant(0.5), da), n);
        break;
      case FormulaOp::pow: {
        const Node less_one = make(FormulaOp::pow, e.a, make(FormulaOp::subtract, e.b, constant(1)));
        const Node by_base = times_da(make(FormulaOp::multiply, e.b, less_one));
        const Node by_power =
            is(db, 0) ? db : make(FormulaOp::multiply, db, make(FormulaOp::multiply, n, make(FormulaOp::log, e.a)));
        slope[n] = make(FormulaOp::add, by_base, by_power);
        break;
      }
    }
  }
  return slope[node];
}

Formula::Node Formula::with_x(Node node, double value) {
  std::vector<Node> to(node + 1);
  for (Node n = 0; n <= node; ++n) {
    const Entry e = entries_[n];
    const std::size_t operands = operands_of(e.op);
    to[n] = e.op == FormulaOp::x ? constant(value)
            : operands == 0      ? n
                                 : apply(e.op, to[e.a], operands > 1 ? to[e.b] : 0, operands > 2 ? to[e.c] : 0);
  }
  return to[node];
}

Formula::Node Formula::with_room(Node node, double lower, double room) {
  std::vector<Node> to(node + 1);
  const auto is_zero_at_bound = [&](Node inner) {
    const FormulaProgram program(*this, inner);
    for (const double x : {0.0, 0.5, 1.0}) {
      double value = 0;
      program.run(1, &x, &lower, &value);
      if (value == 0) return true;
    }
    return false;
  };
  const auto widened = [&](Node before) {
    const bool widen = depends_on_m(before) && is_zero_at_bound(before);
    return widen ? apply(FormulaOp::add, to[before], constant(room)) : to[before];
  };
  for (Node n = 0; n <= node; ++n) {
    const Entry e = entries_[n];
    const std::size_t operands = operands_of(e.op);
    if (operands == 0) {
      to[n] = n;
    } else if (e.op == FormulaOp::log || e.op == FormulaOp::pow) {
      to[n] = apply(e.op, widened(e.a), operands > 1 ? to[e.b] : 0);
    } else if (e.op == FormulaOp::divide) {
      to[n] = apply(e.op, to[e.a], widened(e.b));
    } else {
      to[n] = apply(e.op, to[e.a], operands > 1 ? to[e.b] : 0, operands > 2 ? to[e.c] : 0);
    }
  }
  return to[node];
}

FormulaProgram::FormulaProgram(const Formula& formula, Formula::Node result) {
  std::vector<bool> needed(result + 1);
  needed[result] = true;
  for (Formula::Node n = result + 1; n-- > 0;) {
    if (!needed[n]) continue;
    const auto& e = formula[n];
    const std::size_t operands = operands_of(e.op);
    if (operands > 0) needed[e.a] = true;
    if (operands > 1) needed[e.b] = true;
    if (operands > 2) needed[e.c] = true;
  }
  std::vector<std::uint16_t> place(result + 1);
  for (Formula::Node n = 0; n <= result; ++n) {
    if (!needed[n]) continue;
    if (instructions_.size() >= most) {
      fail(ErrorKind::usage, "the formula of the loss, or its derivative, takes more than {} operations; shorten it",
           most);
    }
    const auto& e = formula[n];
    const std::size_t operands = operands_of(e.op);
    place[n] = static_cast<std::uint16_t>(instructions_.size());
    instructions_.push_back({e.op, operands > 0 ? place[e.a] : std::uint16_t{0},
                             operands > 1 ? place[e.b] : std::uint16_t{0}, operands > 2 ? place[e.c] : std::uint16_t{0},
                             e.value});
  }
}

}  // namespace polyad
