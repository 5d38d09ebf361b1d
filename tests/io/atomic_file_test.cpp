#include "temp_folder.hpp"

#include <polyad/base/error.hpp>
#include <polyad/io/atomic_file.hpp>

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace polyad {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class AtomicFileTest : public TempFolder {};

TEST_F(AtomicFileTest, AppearsOnlyWhenCommitted) {
  {
    AtomicFile file(path("a.txt"));
    file.write("half");
    EXPECT_FALSE(fs::exists(path("a.txt")));
    EXPECT_EQ(fs::path(file.temporary_path()).parent_path(), folder_);
    file.write(" and half");
    file.commit();
  }
  EXPECT_EQ(bytes_of(path("a.txt")), "half and half");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, LeavesNothingWithoutCommit) {
  write("a.txt", "old");
  {
    AtomicFile file(path("a.txt"));
    file.write("new");
  }
  EXPECT_EQ(bytes_of(path("a.txt")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, LeavesNothingAfterAnException) {
  try {
    AtomicFile file(path("a.txt"));
    file.write("new");
    throw std::runtime_error("elsewhere");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(AtomicFileTest, TwoWritersOfOnePathDoNotMix) {
  AtomicFile first(path("a.txt"));
  AtomicFile second(path("a.txt"));
  first.write("first");
  second.write("second");
  first.commit();
  EXPECT_EQ(bytes_of(path("a.txt")), "first");
  second.commit();
  EXPECT_EQ(bytes_of(path("a.txt")), "second");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, NewFilesFollowTheUmaskAndOldOnesKeepTheirPermissions) {
  const mode_t before = umask(022);
  write_text_file(path("new"), "x");
  struct stat state {};
  stat(path("new").c_str(), &state);
  EXPECT_EQ(state.st_mode & 0777, 0644u);
  chmod(path("new").c_str(), 0600);
  write_text_file(path("new"), "y");
  stat(path("new").c_str(), &state);
  EXPECT_EQ(state.st_mode & 0777, 0600u);
  umask(before);
}

TEST_F(AtomicFileTest, FollowsSymbolicLinks) {
  write("real", "old");
  fs::create_symlink("real", path("link"));
  write_text_file(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(bytes_of(path("real")), "new");
}

TEST_F(AtomicFileTest, NamesThePathAndTheReason) {
  EXPECT_EQ(error_of([&] { AtomicFile file(path("no/such/a.txt")); }, ErrorKind::file),
            fmt::format("cannot write '{}': the folder '{}' does not exist", path("no/such/a.txt"), path("no/such")));
  EXPECT_EQ(error_of([&] { AtomicFile file(folder_.string()); }, ErrorKind::file),
            fmt::format("cannot write '{}': it is a folder", folder_.string()));
  EXPECT_THAT(error_of([&] { AtomicFile file(path("new/")); }, ErrorKind::file), HasSubstr("names a folder"));
  EXPECT_THAT(error_of([&] { AtomicFile file(""); }, ErrorKind::file), HasSubstr("without a name"));
  EXPECT_THAT(error_of([&] { AtomicFile file("/dev/null"); }, ErrorKind::file), HasSubstr("not an ordinary file"));
  EXPECT_THAT(error_of([&] { AtomicFile file(path(std::string(300, 'x'))); }, ErrorKind::file),
              HasSubstr("File name too long"));
  write("plain", "");
  EXPECT_THAT(error_of([&] { AtomicFile file(path("plain/a.txt")); }, ErrorKind::file), HasSubstr("Not a directory"));
}

TEST_F(AtomicFileTest, SaysWhatIsWriteProtected) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may write anywhere";
  write("a.txt", "old");
  chmod(path("a.txt").c_str(), 0444);
  EXPECT_THAT(error_of([&] { AtomicFile file(path("a.txt")); }, ErrorKind::file), HasSubstr("write-protected"));
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(error_of([&] { check_writable(path("b.txt")); }, ErrorKind::file), HasSubstr("no permission"));
}

TEST_F(AtomicFileTest, CheckWritableLeavesNothing) {
  check_writable(path("a.txt"));
  EXPECT_EQ(files(), 0u);
  EXPECT_THAT(error_of([&] { check_writable(path("no/a.txt")); }, ErrorKind::file), HasSubstr("does not exist"));
}

// A limit on the size of files stands for a full disk: the same failing write.
TEST_F(AtomicFileTest, AFullDiskLeavesTheOldFile) {
  write("a.txt", "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message =
      error_of([&] { write_text_file(path("a.txt"), std::string(5000, 'x')); }, ErrorKind::file);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, fmt::format("cannot write '{}': File too large", path("a.txt")));
  EXPECT_EQ(bytes_of(path("a.txt")), "old");
  EXPECT_EQ(files(), 1u);
}

// A child process that begins to write, says so and waits to be killed.
pid_t begin_writing(const std::string& path) {
  int channel[2];
  EXPECT_EQ(pipe(channel), 0);
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile file(path);
    file.write("half");
    (void)!::write(channel[1], "x", 1);
    for (;;) pause();
  }
  char ready = 0;
  EXPECT_EQ(::read(channel[0], &ready, 1), 1);
  close(channel[0]);
  close(channel[1]);
  return child;
}

TEST_F(AtomicFileTest, WhatAKilledWriterLeftIsRemovedByTheNextAndALivingOnesIsNot) {
  fs::create_directory(path("f"));
  const pid_t killed = begin_writing(path("f/a"));
  const pid_t living = begin_writing(path("f/b"));
  std::ofstream(path("f/.polyad-mine.tmp")) << "not a temporary file of ours";
  fs::create_directory(path("f/.polyad-write-1-1.tmp"));
  kill(killed, SIGKILL);
  waitpid(killed, nullptr, 0);
  const auto temporaries = [&] {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(path("f"))) {
      count += entry.is_regular_file() && entry.path().filename().string().starts_with(".polyad-write-") ? 1 : 0;
    }
    return count;
  };
  EXPECT_EQ(temporaries(), 2u);
  write_text_file(path("f/c"), "whole");
  EXPECT_EQ(temporaries(), 1u) << "the living writer's stays";
  EXPECT_TRUE(fs::exists(path("f/.polyad-mine.tmp")));
  EXPECT_TRUE(fs::exists(path("f/.polyad-write-1-1.tmp")));
  EXPECT_EQ(bytes_of(path("f/c")), "whole");
  kill(living, SIGKILL);
  waitpid(living, nullptr, 0);
}

}  // namespace
}  // namespace polyad
