#include <polyad/report/mode_kind.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

namespace polyad {
namespace {

ModeLabels labelled(std::vector<std::string> entries) {
  return {"", std::move(entries)};
}

ModeLabels days(int first_year, unsigned month, unsigned day, int count) {
  using namespace std::chrono;
  ModeLabels labels;
  const sys_days start = year{first_year} / std::chrono::month{month} / std::chrono::day{day};
  for (int i = 0; i < count; ++i) {
    const year_month_day date = start + std::chrono::days{i};
    labels.entries.push_back(fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                                         static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day())));
  }
  return labels;
}

ModeLabels numbered(const std::string& format, std::size_t count) {
  ModeLabels labels;
  for (std::size_t i = 0; i < count; ++i) labels.entries.push_back(fmt::format(fmt::runtime(format), i));
  return labels;
}

TEST(ModeKind, IsToldFromLabelsAndExtent) {
  EXPECT_EQ(mode_kind(days(2023, 1, 1, 365), 365), ModeKind::time);
  EXPECT_EQ(mode_kind(labelled({"2021", "2022", "2023"}), 3), ModeKind::time);
  EXPECT_EQ(mode_kind(labelled({"2021-11", "2021-12", "2022-01"}), 3), ModeKind::time);
  EXPECT_EQ(mode_kind(labelled({"2021-11-01T08:00", "2021-11-01T09:00"}), 2), ModeKind::time);
  EXPECT_EQ(mode_kind(labelled({"2022-01-02", "2022-01-01"}), 2), ModeKind::few);  // not in order
  EXPECT_EQ(mode_kind(numbered("{:02}:00", 24), 24), ModeKind::hours);
  EXPECT_EQ(mode_kind(numbered("{}", 24), 24), ModeKind::hours);
  EXPECT_EQ(mode_kind({"hour", {}}, 24), ModeKind::hours);
  EXPECT_EQ(mode_kind({"hour", {}}, 25), ModeKind::index);
  EXPECT_EQ(mode_kind(numbered("{}", 40), 40), ModeKind::index);
  EXPECT_EQ(mode_kind({}, 7), ModeKind::index);
  EXPECT_EQ(mode_kind(numbered("thing {}", 31), 31), ModeKind::few);
  EXPECT_EQ(mode_kind(numbered("thing {}", 32), 32), ModeKind::many);
}

TEST(ModeKind, DatesAreReadStrictly) {
  EXPECT_TRUE(parse_iso_date("2023-12-31 23:59:59"));
  EXPECT_TRUE(parse_iso_date("2023-12-31T23:59Z"));
  for (const char* wrong :
       {"", "20", "2023-13", "2023-1", "2023-01-32", "2023-01-01x", "2023-01-01T25:00", "0999", "1.5"}) {
    EXPECT_FALSE(parse_iso_date(wrong)) << wrong;
  }
}

TEST(Ticks, AYearHasMonths) {
  const auto ticks = axis_ticks(days(2023, 1, 1, 365), 365, 12);
  ASSERT_EQ(ticks.size(), 12u);
  EXPECT_EQ(ticks[0], (Tick{0, "2023"}));
  EXPECT_EQ(ticks[1], (Tick{31, "Feb"}));
  EXPECT_EQ(ticks[11], (Tick{334, "Dec"}));
  EXPECT_EQ(axis_ticks(days(2023, 1, 1, 365), 365, 5).size(), 4u);
}

TEST(Ticks, DecadesHaveYearsAndWeeksHaveDays) {
  const auto years = axis_ticks(days(2001, 3, 5, 6186), 6186, 9);
  ASSERT_GE(years.size(), 2u);
  ASSERT_LE(years.size(), 9u);
  EXPECT_EQ(years[0].text, "2002");
  EXPECT_EQ(years[1].text, "2004");
  const auto week = axis_ticks(days(2023, 3, 5, 8), 8, 10);
  ASSERT_GE(week.size(), 7u);
  EXPECT_EQ(week.back().text, "12 Mar");
}

TEST(Ticks, NumbersHaveRoundSteps) {
  EXPECT_EQ(axis_ticks({}, 100000, 10).back(), (Tick{99999, "100000"}));
  EXPECT_EQ(axis_ticks({}, 100, 5),
            (std::vector<Tick>{{0, "1"}, {19, "20"}, {39, "40"}, {59, "60"}, {79, "80"}, {99, "100"}}));
  EXPECT_EQ(axis_ticks({}, 1, 5), (std::vector<Tick>{{0, "1"}}));
  EXPECT_EQ(axis_ticks(numbered("{:02}:00", 24), 24, 4),
            (std::vector<Tick>{{0, "0"}, {6, "6"}, {12, "12"}, {18, "18"}}));
}

TEST(Ticks, NeverLieOutsideTheMode) {
  for (const std::uint64_t extent : {1, 2, 3, 7, 31, 32, 99, 1000}) {
    for (const std::size_t most : {0, 1, 2, 3, 8, 50}) {
      for (const Tick& tick : axis_ticks({}, extent, most)) EXPECT_LT(tick.index, extent);
      for (const Tick& tick : axis_ticks(days(1999, 12, 30, static_cast<int>(extent)), extent, most))
        EXPECT_LT(tick.index, extent);
    }
  }
}

}  // namespace
}  // namespace polyad
