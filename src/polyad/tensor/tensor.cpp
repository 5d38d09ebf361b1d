#include <polyad/base/sum.hpp>
#include <polyad/tensor/tensor.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

// sqrt(sum x^2). Scaled by a power of two, so that squares neither overflow nor vanish and no bit is lost.
template <class Value>
double norm_of(std::size_t count, Value value) {
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = std::abs(value(i));
    if (x > largest) largest = x;  // false for NaN: missing
  }
  if (largest == 0) return 0;
  const int exponent = std::clamp(std::ilogb(largest), -1000, 1000);
  const double scale = std::ldexp(1.0, -exponent);
  CompensatedSum squares;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = value(i) * scale;
    if (!std::isnan(x)) squares.add(x * x);
  }
  return std::ldexp(std::sqrt(squares.value()), exponent);
}

}  // namespace

Tensor::Tensor(DenseTensor dense, Labels labels) : data_(std::move(dense)) {
  set_labels(std::move(labels));
}
Tensor::Tensor(SparseTensor sparse, Labels labels) : data_(std::move(sparse)) {
  set_labels(std::move(labels));
}

const IndexSpace& Tensor::space() const {
  return std::visit([](const auto& tensor) -> const IndexSpace& { return tensor.space(); }, data_);
}

void Tensor::set_labels(Labels labels) {
  if (labels.modes() == 0) labels = Labels(space().modes());
  labels.check(space());
  labels_ = std::move(labels);
}

const TensorFacts* Tensor::facts() const {
  return std::visit([](const auto& tensor) { return tensor.facts(); }, data_);
}

double Tensor::observed() const {
  return std::visit([](const auto& tensor) { return static_cast<double>(tensor.observed()); }, data_);
}

double Tensor::norm() const {
  if (facts() != nullptr) return facts()->norm;
  if (const DenseTensor* tensor = dense()) {
    return norm_of(tensor->cells(), [&](std::size_t i) { return tensor->value(i); });
  }
  const Records& records = sparse()->records();
  return norm_of(records.size(), [&](std::size_t i) { return records.value(i); });
}

}  // namespace polyad
