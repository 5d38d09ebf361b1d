#include <polyad/base/error.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/isolated/wire.hpp>

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace polyad {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t put_at_once = std::size_t{1} << 20;

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

void WireWriter::put(std::string_view bytes) {
  if (waiting_.size() + bytes.size() < put_at_once) {
    waiting_.append(bytes);
    return;
  }
  finish();
  write_all(descriptor_, "the result", bytes);
  written_ += bytes.size();
}

void WireWriter::finish() {
  write_all(descriptor_, "the result", waiting_);
  written_ += waiting_.size();
  waiting_.clear();
}

void WireWriter::number(std::uint64_t value) {
  put(bytes_of(std::span<const std::uint64_t>(&value, 1)));
}

void WireWriter::real(double value) {
  put(bytes_of(std::span<const double>(&value, 1)));
}

void WireWriter::text(std::string_view text) {
  number(text.size());
  put(text);
}

void WireWriter::numbers(std::span<const std::uint64_t> values) {
  number(values.size());
  put(bytes_of(values));
}

void WireWriter::reals(std::span<const double> values) {
  number(values.size());
  put(bytes_of(values));
}

void WireWriter::array(std::string_view bytes) {
  number(0);
  number(bytes.size());
  const std::uint64_t at = written_ + waiting_.size();
  put(std::string((alignment - at % alignment) % alignment, '\0'));
  put(bytes);
}

void WireWriter::array(const FileRange& range) {
  number(1);
  number(range.offset);
  number(range.bytes);
}

WireReader::WireReader(int descriptor, std::string path) : path_(std::move(path)) {
  struct stat state {};
  if (fstat(descriptor, &state) != 0) fail(ErrorKind::file, "cannot read '{}': {}", path_, std::strerror(errno));
  size_ = static_cast<std::uint64_t>(state.st_size);
  if (size_ == 0) return;
  void* const memory = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (memory == MAP_FAILED) fail(ErrorKind::file, "cannot read '{}': {}", path_, std::strerror(errno));
  data_ = {static_cast<const char*>(memory), [size = size_](const char* p) { munmap(const_cast<char*>(p), size); }};
}

void WireReader::bad() const {
  fail(ErrorKind::data, "'{}' is damaged: the library that reads this format fails on it; use another copy", path_);
}

const char* WireReader::take(std::uint64_t bytes) {
  if (bytes > size_ - at_) bad();
  const char* const here = data_.get() + at_;
  at_ += bytes;
  return here;
}

std::uint64_t WireReader::number() {
  std::uint64_t value = 0;
  std::memcpy(&value, take(sizeof value), sizeof value);
  return value;
}

std::uint64_t WireReader::number_to(std::uint64_t most) {
  const std::uint64_t value = number();
  if (value > most) bad();
  return value;
}

double WireReader::real() {
  double value = 0;
  std::memcpy(&value, take(sizeof value), sizeof value);
  return value;
}

std::string WireReader::text() {
  const std::uint64_t length = number_to(size_);
  return {take(length), length};
}

std::vector<std::uint64_t> WireReader::numbers() {
  const std::uint64_t count = number_to(size_ / sizeof(std::uint64_t));
  const char* const from = take(count * sizeof(std::uint64_t));
  std::vector<std::uint64_t> values(count);
  if (count > 0) std::memcpy(values.data(), from, count * sizeof(std::uint64_t));
  return values;
}

std::vector<double> WireReader::reals() {
  const std::uint64_t count = number_to(size_ / sizeof(double));
  const char* const from = take(count * sizeof(double));
  std::vector<double> values(count);
  if (count > 0) std::memcpy(values.data(), from, count * sizeof(double));
  return values;
}

WireReader::Array WireReader::array(const InputFile& input) {
  Array out;
  if (flag()) {
    out.in_file = FileRange{number(), 0};
    out.bytes = out.in_file->bytes = number();
    if (out.in_file->offset > input.size() || out.bytes > input.size() - out.in_file->offset) bad();
    return out;
  }
  out.bytes = number_to(size_);
  take((alignment - at_ % alignment) % alignment);
  out.here = std::shared_ptr<const void>(data_, take(out.bytes));
  return out;
}

void WireReader::expect_end() const {
  if (at_ != size_) bad();
}

}  // namespace polyad
