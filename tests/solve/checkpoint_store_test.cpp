// Checkpoints: what is kept comes back bit for bit, and a checkpoint of anything else is refused by name.

#include <polyad/base/json_value.hpp>
#include <polyad/solve/checkpoint/store.hpp>

#include <polyad/base/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

namespace polyad {
namespace {

using ::testing::HasSubstr;

class CheckpointStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "polyad-checkpoint-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    options_.file = (folder_ / "c.h5").string();
    options_.every = 0;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  CheckpointOptions resuming() const {
    CheckpointOptions options;
    options.resume = options_.file;
    return options;
  }
  static std::string error_of(const std::function<void()>& body) {
    try {
      body();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
  CheckpointOptions options_;
  Json identity_ = {{"fingerprint", "00ff"}, {"shape", {3, 4}}};
  Json fit_ = {{"rank", 2}, {"threads", 4}, {"loss", "poisson"}};
};

StartState awkward_state() {
  StartState state;
  state.draws = (std::uint64_t{1} << 53) - 1;
  state.steps = 12345;
  state.schedule = {7, 2, 0.1};
  state.estimate = -0.0;
  state.best_estimate = 5e-324;
  state.seconds = 3.5;
  state.factors = {1.0 / 3, -2e-308, 0, 1e300};
  state.best = {0.1, 0.2, 0.3, 0.4};
  state.first = {1, 2, 3, 4};
  state.second = {5, 6, 7, 8};
  state.trace = {{0, 0.5, 10, 0.01, true}, {1, 0.6, 9, 0.01, false}};
  return state;
}

TEST_F(CheckpointStoreTest, WhatIsKeptComesBack) {
  StartState finished = awkward_state();
  finished.finished = true;
  finished.why = 2;
  finished.factors.clear();
  finished.first.clear();
  finished.second.clear();
  {
    CheckpointStore store(options_, identity_, fit_);
    EXPECT_FALSE(store.state_of(0));
    store.keep(0, finished);
    store.keep(3, awkward_state());
  }
  const CheckpointStore again(resuming(), identity_, fit_);
  ASSERT_TRUE(again.state_of(0) && again.state_of(3));
  EXPECT_EQ(*again.state_of(0), finished);
  EXPECT_EQ(*again.state_of(3), awkward_state());
  EXPECT_FALSE(again.state_of(1));
  EXPECT_EQ(again.path(), options_.file) << "a resumed fit keeps its checkpoint up to date";
}

TEST_F(CheckpointStoreTest, WritesWhenItIsTime) {
  options_.every = 1e6;
  CheckpointStore store(options_, identity_, fit_);
  store.keep(0, awkward_state());
  EXPECT_FALSE(std::filesystem::exists(options_.file));
  store.flush();
  EXPECT_TRUE(std::filesystem::exists(options_.file));
}

TEST_F(CheckpointStoreTest, OtherDataOrOptionsAreRefusedByName) {
  CheckpointStore(options_, identity_, fit_).keep(0, awkward_state());
  Json other = identity_;
  other["fingerprint"] = "0100";
  EXPECT_THAT(error_of([&] { CheckpointStore(resuming(), other, fit_); }),
              HasSubstr("is a checkpoint of another fit: the data's fingerprint was 00ff, now it is 0100"));
  Json rank = fit_;
  rank["rank"] = 3;
  EXPECT_THAT(error_of([&] { CheckpointStore(resuming(), identity_, rank); }), HasSubstr("rank was 2, now it is 3"));
  Json threads = fit_;
  threads["threads"] = 1;
  EXPECT_EQ(error_of([&] { CheckpointStore(resuming(), identity_, threads); }), "") << "threads do not change results";
}

TEST_F(CheckpointStoreTest, DamageIsRefused) {
  CheckpointStore(options_, identity_, fit_).keep(0, awkward_state());
  std::filesystem::resize_file(options_.file, std::filesystem::file_size(options_.file) - 1);
  EXPECT_THAT(error_of([&] { CheckpointStore(resuming(), identity_, fit_); }), HasSubstr("checksum is missing"));
  std::ofstream(options_.file) << "1 1 5\n";
  EXPECT_THAT(error_of([&] { CheckpointStore(resuming(), identity_, fit_); }),
              HasSubstr("is a text file, not a checkpoint"));
  std::filesystem::remove(options_.file);
  EXPECT_THAT(error_of([&] { CheckpointStore(resuming(), identity_, fit_); }), HasSubstr("No such file"));
  options_.file = (folder_ / "no/such/c.h5").string();
  EXPECT_THAT(error_of([&] { CheckpointStore(options_, identity_, fit_); }), HasSubstr("does not exist"));
}

// A fit outlives the disk that its checkpoints go to.
TEST_F(CheckpointStoreTest, AFailedWriteIsRememberedAndTriedAgain) {
  CheckpointStore store(options_, identity_, fit_);
  std::filesystem::rename(folder_, folder_.string() + "-away");
  store.keep(0, awkward_state());
  EXPECT_THAT(store.trouble(), HasSubstr("does not exist"));
  std::filesystem::rename(folder_.string() + "-away", folder_);
  store.flush();
  EXPECT_EQ(store.trouble(), "");
  EXPECT_TRUE(std::filesystem::exists(options_.file));
}

}  // namespace
}  // namespace polyad
