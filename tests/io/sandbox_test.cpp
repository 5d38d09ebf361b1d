// The process that reads HDF5 and .mat files, started as always but with tasks that try to get out (probe/reader_probe.cpp).
// Each test fails where the limit that it is about is taken out of sandbox.cpp or reader.cpp.

#include "temp_folder.hpp"

#include <polyad/io/input_file.hpp>
#include <polyad/io/isolated/reader.hpp>

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <new>
#include <sstream>
#include <thread>

namespace polyad {
namespace {

using ::testing::HasSubstr;

// Sanitizers map far more memory than they use, so that no limit is set under them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_is_limited = false;
#else
constexpr bool memory_is_limited = true;
#endif

double seconds_of(const std::function<void()>& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class Sandbox : public TempFolder {
 protected:
  void SetUp() override {
    TempFolder::SetUp();
    setenv("POLYAD_READER", POLYAD_READER_PROBE, 1);
    file_ = write("file", "0123456789");
  }
  void TearDown() override {
    unsetenv("POLYAD_READER");
    TempFolder::TearDown();
  }

  /// The number that a task hands over.
  std::uint64_t asked(const ReaderRequest& request) const {
    const InputFile file(file_);
    IsolatedRead read(file, request, nullptr);
    return read.result().number();
  }
  std::string refused(const ReaderRequest& request) const {
    return error_of([&] { asked(request); }, ErrorKind::data);
  }

  std::string file_;
};

TEST_F(Sandbox, NoOtherFile) {
  EXPECT_EQ(asked({.task = "try-other-files"}), 0u);
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(bytes_of(file_), "0123456789");
}

TEST_F(Sandbox, ItsOwnFileIsForReading) {
  EXPECT_EQ(asked({.task = "try-writing"}), 0u);
  EXPECT_EQ(bytes_of(file_), "0123456789");
}

TEST_F(Sandbox, NoConnection) {
  EXPECT_EQ(asked({.task = "try-connections"}), 0u);
}

TEST_F(Sandbox, NoOtherProcess) {
  EXPECT_EQ(asked({.task = "try-processes"}), 0u);
}

TEST_F(Sandbox, NothingOfTheParent) {
  setenv("HDF5_PLUGIN_PATH", "/tmp", 1);
  EXPECT_EQ(asked({.task = "look-around"}), 0u);
  unsetenv("HDF5_PLUGIN_PATH");
}

TEST_F(Sandbox, Memory) {
  EXPECT_EQ(asked({.task = "take-memory", .variable = "50000000"}), 1u);
  if (!memory_is_limited) return;
  EXPECT_THROW(asked({.task = "take-memory", .variable = "400000000", .limits = {.memory = 200e6}}), std::bad_alloc);
  EXPECT_EQ(asked({.task = "map-memory", .variable = "1000000000", .limits = {.memory = 200e6}}), 0u);
}

TEST_F(Sandbox, WhatIsHandedOver) {
  const InputFile file(file_);
  IsolatedRead read(file, {.task = "hand-over", .variable = "8000000"}, nullptr);
  if (!memory_is_limited) return;
  EXPECT_THAT(refused({.task = "hand-over", .variable = "400000000", .limits = {.memory = 200e6}}),
              HasSubstr("is damaged"));
}

TEST_F(Sandbox, ProcessorTime) {
  const double seconds = seconds_of([&] {
    EXPECT_THAT(refused({.task = "spin", .limits = {.seconds = 1, .clock = 100}}),
                HasSubstr("does not come to an end"));
  });
  EXPECT_LT(seconds, 60) << "the clock would have stopped it after 100 s";
}

TEST_F(Sandbox, Clock) {
  const double seconds = seconds_of([&] {
    EXPECT_THAT(refused({.task = "wait-for-ever", .limits = {.seconds = 1, .clock = 1}}),
                HasSubstr("does not come to an end"));
  });
  EXPECT_GE(seconds, 1);
  EXPECT_LT(seconds, 60);
}

/// The processes whose parent is `parent`.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> out;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    if (process <= 0) continue;
    std::ifstream file(entry.path() / "stat");
    std::string text;
    std::getline(file, text);
    std::istringstream rest(text.substr(std::min(text.rfind(')') + 2, text.size())));
    char state = 0;
    pid_t its_parent = 0;
    if (rest >> state >> its_parent && its_parent == parent) out.push_back(process);
  }
  return out;
}

bool is_gone(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return true;
  const std::size_t end = text.rfind(')');
  return end == std::string::npos || end + 2 >= text.size() || text[end + 2] == 'Z' || text[end + 2] == 'X';
}

bool soon(const std::function<bool()>& true_now) {
  for (int i = 0; i < 3000; ++i) {
    if (true_now()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST_F(Sandbox, EndsWithItsParent) {
  const pid_t parent = fork();
  if (parent == 0) {
    try {
      asked({.task = "wait-for-ever", .limits = {.seconds = 100, .clock = 10}});
    } catch (...) {
    }
    _exit(0);
  }
  ASSERT_GT(parent, 0);
  std::vector<pid_t> readers;
  EXPECT_TRUE(soon([&] { return !(readers = children_of(parent)).empty(); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // to where it waits
  kill(parent, SIGKILL);
  int status = 0;
  waitpid(parent, &status, 0);
  for (const pid_t reader : readers) EXPECT_TRUE(soon([&] { return is_gone(reader); })) << "the reader lives on";
}

}  // namespace
}  // namespace polyad
