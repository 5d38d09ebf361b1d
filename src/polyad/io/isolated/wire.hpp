#pragma once
// How the reading process (reader.hpp) hands over what it read: numbers, texts and arrays in a row, in a file in memory. It is simple
// on purpose: the side that takes them trusts nothing, and compares every length with the bytes that are there.

#include <polyad/io/input_file.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

/// Where an array lies in the file that is read: it need not be handed over.
struct FileRange {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

class WireWriter {
 public:
  explicit WireWriter(int descriptor) : descriptor_(descriptor) {}

  void number(std::uint64_t value);
  void real(double value);
  void text(std::string_view text);
  void numbers(std::span<const std::uint64_t> values);
  void reals(std::span<const double> values);
  /// Bytes that begin at a multiple of 64.
  void array(std::string_view bytes);
  void array(const FileRange& range);
  /// Writes what is not written yet.
  void finish();

 private:
  void put(std::string_view bytes);

  int descriptor_;
  std::uint64_t written_ = 0;
  std::string waiting_;
};

class WireReader {
 public:
  /// Maps what is in the file in memory. `path` is the file that was read, for messages.
  WireReader(int descriptor, std::string path);

  std::uint64_t number();
  /// A number that must be at most `most`.
  std::uint64_t number_to(std::uint64_t most);
  bool flag() { return number_to(1) != 0; }
  double real();
  std::string text();
  std::vector<std::uint64_t> numbers();
  std::vector<double> reals();

  /// An array that is here, or in the file that was read.
  struct Array {
    std::shared_ptr<const void> here;
    std::optional<FileRange> in_file;
    std::uint64_t bytes = 0;
  };
  Array array(const InputFile& input);
  /// Throws where something is left.
  void expect_end() const;
  /// A data error: what was handed over makes no sense.
  [[noreturn]] void bad() const;

 private:
  const char* take(std::uint64_t bytes);

  std::string path_;
  std::shared_ptr<const char> data_;
  std::uint64_t size_ = 0;
  std::uint64_t at_ = 0;
};

}  // namespace polyad
