#pragma once
// The block loops of Loss, one instantiation a loss. The loops hold nothing but the loss's own arithmetic, so
// that the compiler can vectorise them.

#include <polyad/loss/block.hpp>

#include <type_traits>

namespace polyad {

namespace detail {

// Parameters in registers, not behind a pointer which `out` might alias.
template <class L>
using InLoop = std::conditional_t<std::is_trivially_copyable_v<L>, const L, const L&>;

template <LossMath L>
double derivative_at(const L& loss, double x, double m) {
  if constexpr (LossWithDerivative<L>) {
    return loss.deriv(x, m);
  } else {
    return Dual(loss.value(Dual(x), Dual(m, 1.0))).slope;
  }
}

template <LossMath L>
void value_block(const void* math, std::size_t n, const double* x, const double* m, double* out) {
  InLoop<L> loss = *static_cast<const L*>(math);
  for (std::size_t t = 0; t < n; ++t) out[t] = loss.value(x[t], m[t]);
}

template <LossMath L>
void derivative_block(const void* math, std::size_t n, const double* x, const double* m, double* out) {
  InLoop<L> loss = *static_cast<const L*>(math);
  for (std::size_t t = 0; t < n; ++t) out[t] = derivative_at(loss, x[t], m[t]);
}

/// Throws a usage error where a parameter breaks its rule.
void check_loss_parameter(std::string_view loss, std::string_view parameter, double value, double above,
                          std::string (*broken)(double));

/// "huber" and {delta: 0.5} -> "huber:delta=0.5"
std::string loss_spec(std::string_view name, const std::vector<std::pair<std::string, double>>& parameters);

}  // namespace detail

template <LossMath L>
Loss Loss::of(L math) {
  auto stored = std::make_shared<const L>(std::move(math));
  Loss loss;
  loss.info_ = info_of(*stored);
  if constexpr (LossWithParameters<L>) {
    for (const auto& p : L::parameters()) {
      const double value = (*stored).*p.member;
      detail::check_loss_parameter(loss.info_.name, p.name, value, p.above, p.broken);
      loss.parameters_.emplace_back(p.name, value);
      loss.parameter_help_.emplace_back(p.help);
    }
  }
  loss.spec_ = detail::loss_spec(loss.info_.name, loss.parameters_);
  loss.values_ = &detail::value_block<L>;
  loss.derivatives_ = &detail::derivative_block<L>;
  loss.math_ = std::move(stored);
  return loss;
}

}  // namespace polyad
