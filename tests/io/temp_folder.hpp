#pragma once
// A folder of its own for each test, gone afterwards, and helpers to write, read and refuse files in it.

#include <polyad/base/error.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace polyad {

class TempFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "polyad-io-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string write(const std::string& name, const std::string& bytes) const {
    std::filesystem::remove(path(name));  // some file systems flush a file that is emptied and written again
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  static std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_;
};

/// The message of the Error that `body` throws; "" (which no expectation matches) where it throws none.
template <class Body>
std::string error_of(Body&& body, ErrorKind kind) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.what();
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << "an error is one line: " << message;
    EXPECT_FALSE(message.ends_with('.')) << message;
    return message;
  }
  return {};
}

}  // namespace polyad
