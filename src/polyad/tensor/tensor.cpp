#include <polyad/base/exact_numbers.hpp>
#include <polyad/tensor/tensor.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <variant>

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

struct Tensor::Storage {
  std::variant<DenseTensor, SparseTensor> data;
};

Tensor::Tensor(DenseTensor dense, Labels labels) : storage_(std::make_unique<Storage>(Storage{std::move(dense)})) {
  set_labels(std::move(labels));
}
Tensor::Tensor(SparseTensor sparse, Labels labels) : storage_(std::make_unique<Storage>(Storage{std::move(sparse)})) {
  set_labels(std::move(labels));
}
Tensor::Tensor(const Tensor& other) : storage_(std::make_unique<Storage>(*other.storage_)), labels_(other.labels_) {}
Tensor::Tensor(Tensor&& other) noexcept = default;
Tensor& Tensor::operator=(const Tensor& other) {
  return *this = Tensor(other);
}
Tensor& Tensor::operator=(Tensor&& other) noexcept = default;
Tensor::~Tensor() = default;

const DenseTensor* Tensor::dense() const {
  return std::get_if<DenseTensor>(&storage_->data);
}
const SparseTensor* Tensor::sparse() const {
  return std::get_if<SparseTensor>(&storage_->data);
}
DenseTensor* Tensor::dense() {
  return std::get_if<DenseTensor>(&storage_->data);
}
SparseTensor* Tensor::sparse() {
  return std::get_if<SparseTensor>(&storage_->data);
}
bool Tensor::is_sparse() const {
  return sparse() != nullptr;
}

const IndexSpace& Tensor::space() const {
  return std::visit([](const auto& tensor) -> const IndexSpace& { return tensor.space(); }, storage_->data);
}

void Tensor::set_labels(Labels labels) {
  if (labels.modes() == 0) labels = Labels(space().modes());
  labels.check(space());
  labels_ = std::move(labels);
}

const TensorFacts* Tensor::facts() const {
  return std::visit([](const auto& tensor) { return tensor.facts(); }, storage_->data);
}

bool Tensor::mapped() const {
  return is_sparse() ? sparse()->records().mapped() : dense()->mapped();
}

void Tensor::expect_random_reads() const {
  is_sparse() ? sparse()->records().expect_random_reads() : dense()->expect_random_reads();
}

std::uint64_t Tensor::listed() const {
  return is_sparse() ? sparse()->listed() : dense()->cells();
}

double Tensor::observed() const {
  return std::visit([](const auto& tensor) { return static_cast<double>(tensor.observed()); }, storage_->data);
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
