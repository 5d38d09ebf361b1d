#include <polyad/base/error.hpp>

#include <gtest/gtest.h>

namespace polyad {
namespace {

std::string flags(std::string_view text) {
  return shown_options(text, [](std::string_view field, std::string_view value) {
    return fmt::format("--{}{}{}", field, value.empty() ? "" : " ", value);
  });
}

Error thrown(const auto& action) {
  try {
    action();
  } catch (const Error& e) {
    return e;
  }
  return {ErrorKind::file, "nothing thrown"};
}

TEST(OptionNames, AreShownAsTheFrontEndWritesThem) {
  const Error e = thrown([] { fail(ErrorKind::usage, "`rank` must be {}; use `method {}`", 1, "gcp-full"); });
  EXPECT_STREQ(e.what(), "rank must be 1; use method gcp-full");
  EXPECT_EQ(flags(e.text()), "--rank must be 1; use --method gcp-full");
  const auto python = [](std::string_view field, std::string_view value) {
    return fmt::format("{}='{}'", field, value);
  };
  EXPECT_EQ(shown_options(mark_options("use `method cp-als`"), python), "use method='cp-als'");
  EXPECT_EQ(flags("no " + option_name("ridge") + ", " + option_name("lower", "0")), "no --ridge, --lower 0");
}

TEST(OptionNames, TextsOfUsersStay) {
  const Error e = thrown([] { fail(ErrorKind::data, "'{}' is not `rank`", "odd `rank` name"); });
  EXPECT_STREQ(e.what(), "'odd `rank` name' is not rank");
  EXPECT_EQ(flags(e.text()), "'odd `rank` name' is not --rank");
  for (const char* text : {"", "plain", "one ` alone"}) EXPECT_EQ(flags(text), text);
}

}  // namespace
}  // namespace polyad
