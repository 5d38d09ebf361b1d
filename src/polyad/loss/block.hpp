#pragma once
// A loss chosen at run time: its facts, its parameters, and functions that work on whole blocks of entries,
// so that the choice costs one indirect call a block and none an entry.
//
//   values:      out[t] = f(x[t], m[t])
//   derivatives: out[t] = df/dm(x[t], m[t])
//
// `out` may be `x` or `m` itself. A Loss is a value: copies share the mathematics, and any number of threads
// may use one.

#include <polyad/loss/loss.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polyad {

class Loss {
 public:
  using BlockFunction = void (*)(const void* loss, std::size_t n, const double* x, const double* m, double* out);

  const LossInfo& info() const { return info_; }
  std::string_view name() const { return info_.name; }
  /// Name with parameters, as it would be written to get this loss again: "huber:delta=0.5".
  const std::string& spec() const { return spec_; }
  const std::vector<std::pair<std::string, double>>& parameters() const { return parameters_; }
  /// What each parameter means, in the order of parameters().
  const std::vector<std::string>& parameter_help() const { return parameter_help_; }

  void values(std::size_t n, const double* x, const double* m, double* out) const {
    values_(math_.get(), n, x, m, out);
  }
  void derivatives(std::size_t n, const double* x, const double* m, double* out) const {
    derivatives_(math_.get(), n, x, m, out);
  }
  double value(double x, double m) const;
  double derivative(double x, double m) const;

  /// Makes a Loss of any type that satisfies LossMath (used for the built-in list and for users' own losses).
  /// Without `deriv` the derivative comes from `value` with dual numbers. A usage error where a parameter
  /// breaks its rule.
  template <LossMath L>
  static Loss of(L math);

 private:
  Loss() = default;

  LossInfo info_;
  std::string spec_;
  std::vector<std::pair<std::string, double>> parameters_;
  std::vector<std::string> parameter_help_;
  std::shared_ptr<const void> math_;  ///< also keeps the texts of info_ alive where they are the user's
  BlockFunction values_ = nullptr;
  BlockFunction derivatives_ = nullptr;
};

}  // namespace polyad

#include <polyad/loss/block-inl.hpp>
