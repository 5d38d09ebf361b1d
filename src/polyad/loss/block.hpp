#pragma once
// A loss chosen at run time: its facts, its parameters, and functions that work on whole blocks of entries,
// so that the choice costs one indirect call a block and none an entry.
//
//   values:      out[t] = f(x[t], m[t])
//   derivatives: out[t] = df/dm(x[t], m[t])
//   curvatures:  out[t] = d2f/dm2(x[t], m[t])
//
// In double or single precision, curvatures in double alone: they serve the row problems of solve/rows, which are exact. `out` may be `x` or `m` itself. A Loss is a value: copies share the mathematics, and any
// number of threads may use one.

#include <polyad/base/simd_target.hpp>
#include <polyad/loss/loss.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polyad {

class Loss {
 public:
  const LossInfo& info() const { return info_; }
  std::string_view name() const { return info_.name; }
  /// Name with parameters, as it would be written to get this loss again: "huber:delta=0.5".
  const std::string& spec() const { return spec_; }
  const std::vector<std::pair<std::string, double>>& parameters() const { return parameters_; }
  /// What each parameter means, in the order of parameters().
  const std::vector<std::string>& parameter_help() const { return parameter_help_; }

  void values(std::size_t n, const double* x, const double* m, double* out) const {
    run(functions<double>().values, n, x, m, out);
  }
  void values(std::size_t n, const float* x, const float* m, float* out) const {
    run(functions<float>().values, n, x, m, out);
  }
  void derivatives(std::size_t n, const double* x, const double* m, double* out) const {
    run(functions<double>().derivatives, n, x, m, out);
  }
  void derivatives(std::size_t n, const float* x, const float* m, float* out) const {
    run(functions<float>().derivatives, n, x, m, out);
  }
  /// The same loss of data in another unit: f(x / unit, m), with parameters that are sizes of data divided too. For a power
  /// of two no bit is lost, and the epsilon inside logarithms becomes a share of the unit.
  Loss in_units_of(double unit) const;
  /// What x is multiplied by before it is compared with m: 1, but for a loss in other units.
  double data_scale() const { return data_scale_; }

  double value(double x, double m) const;
  double derivative(double x, double m) const;

  /// The derivative of `deriv` by dual numbers; where that takes doubles only, or is itself made by dual numbers, by
  /// differences of it (six digits, enough for the steps of a Newton method). One entry at a time.
  void curvatures(std::size_t n, const double* x, const double* m, double* out) const {
    run(table_->curvatures, n, x, m, out);
  }

  /// Makes a Loss of any type that satisfies LossMath (used for the built-in list and for users' own losses).
  /// Without `deriv` the derivative comes from `value` with dual numbers. A usage error where a parameter
  /// breaks its rule.
  template <LossMath L>
  static Loss of(L math);

 private:
  template <class T>
  struct Functions {
    using Block = void (*)(const void* loss, std::size_t n, const T* x, const T* m, T* out);
    Block values = nullptr;
    Block derivatives = nullptr;
  };
  /// One entry a SimdTarget.
  struct Table {
    std::array<Functions<double>, 4> in_double;
    std::array<Functions<float>, 4> in_single;
    Functions<double>::Block curvatures = nullptr;
  };
  template <class L>
  static constexpr Table make_table();

  template <class T>
  const Functions<T>& functions() const {
    const auto target = static_cast<std::size_t>(simd_target());
    if constexpr (sizeof(T) == sizeof(double)) {
      return table_->in_double[target];
    } else {
      return table_->in_single[target];
    }
  }

  template <class T>
  void run(typename Functions<T>::Block block, std::size_t n, const T* x, const T* m, T* out) const {
    if (data_scale_ == 1) {
      block(math_.get(), n, x, m, out);
    } else {
      run_scaled(block, n, x, m, out);
    }
  }
  template <class T>
  void run_scaled(typename Functions<T>::Block block, std::size_t n, const T* x, const T* m, T* out) const {
    std::array<T, 64> scaled;
    const T scale = static_cast<T>(data_scale_);
    for (std::size_t first = 0; first < n; first += scaled.size()) {
      const std::size_t count = std::min(scaled.size(), n - first);
      for (std::size_t t = 0; t < count; ++t) scaled[t] = x[first + t] * scale;
      block(math_.get(), count, scaled.data(), m + first, out + first);
    }
  }

  Loss() = default;

  LossInfo info_;
  std::string spec_;
  std::vector<std::pair<std::string, double>> parameters_;
  std::vector<std::string> parameter_help_;
  std::shared_ptr<const void> math_;  ///< also keeps the texts of info_ alive where they are the user's
  const Table* table_ = nullptr;
  double data_scale_ = 1;                                                ///< 1 / unit
  Loss (*with_sizes_divided_)(const void* math, double unit) = nullptr;  ///< null: no parameter is a size of data
};

}  // namespace polyad

#include <polyad/loss/block-inl.hpp>
