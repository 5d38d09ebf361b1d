// Regions from GeoJSON: which feature belongs to which label, and where it lies on the grid.

#include "report/models.hpp"
#include "report/xml_check.hpp"

#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/report.hpp>
#include <polyad/report/regions.hpp>

#include <gmock/gmock.h>

#include <numbers>

namespace polyad {
namespace {

using namespace testing;
using ::testing::HasSubstr;

std::string feature(const std::string& properties, const std::string& geometry) {
  return fmt::format(R"({{"type":"Feature","properties":{{{}}},"geometry":{}}})", properties, geometry);
}
std::string square(double x, double y, double side) {
  return fmt::format(R"({{"type":"Polygon","coordinates":[[[{0},{1}],[{2},{1}],[{2},{3}],[{0},{3}],[{0},{1}]]]}})", x,
                     y, x + side, y + side);
}
std::string collection(const std::vector<std::string>& features) {
  return fmt::format(R"({{"type":"FeatureCollection","features":[{}]}})", joined(features, ","));
}

Labels places(std::vector<std::string> names) {
  Labels labels(1);
  labels.mode(0) = {"place", std::move(names)};
  return labels;
}

std::string refusal(const std::string& geojson, const Labels& labels, const std::string& property = {}) {
  try {
    regions_of(geojson, property, labels, 0, labels.mode(0).entries.size());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "";
}

TEST(Regions, MatchByTheRuleThatNamesMost) {
  const std::string text = collection({feature(R"("id":7,"name":"Old Town")", square(0, 0, 1)),
                                       feature(R"("id":8,"name":"LOOP")", square(1, 0, 1)),
                                       feature(R"("id":9,"name":"Lake")", square(2, 0, 1))});
  for (const auto& names : std::vector<std::vector<std::string>>{
           {"loop", "old town"}, {"8 Loop", "7 OLD TOWN"}, {"8 other", "7 spelling"}, {"8", "7"}}) {
    const RegionMap map = regions_of(text, "", places(names), 0, 2);
    ASSERT_EQ(map.regions.size(), 2u) << names[0];
    EXPECT_EQ(map.regions[0].index, 1u) << names[0];
    EXPECT_EQ(map.regions[1].index, 0u) << names[0];
    EXPECT_EQ(map.background.size(), 1u);
    EXPECT_TRUE(map.absent.empty());
  }
  const RegionMap some = regions_of(text, "name", places({"Loop", "Atlantis"}), 0, 2);
  EXPECT_EQ(some.absent, std::vector<std::size_t>{1});
  EXPECT_EQ(some.background.size(), 2u);
}

TEST(Regions, IndicesWithoutLabelsMatchByNumber) {
  const std::string text =
      collection({feature(R"("area":2)", square(0, 0, 1)), feature(R"("area":1)", square(1, 0, 1))});
  const RegionMap map = regions_of(text, "area", Labels(1), 0, 2);
  ASSERT_EQ(map.regions.size(), 2u);
  EXPECT_EQ(map.regions[0].index, 1u);
}

TEST(Regions, LieOnAGridWithNorthUp) {
  // Two squares of a degree at 60 degrees north, where a degree of longitude is half as long.
  const std::string text =
      collection({feature(R"("name":"west")", square(10, 59.5, 1)), feature(R"("name":"east")", square(11, 59.5, 1))});
  const RegionMap map = regions_of(text, "name", places({"west", "east"}), 0, 2);
  EXPECT_EQ(map.height, map_grid);
  EXPECT_NEAR(map.width, map_grid * 2 * std::cos(60 * std::numbers::pi / 180), 2);
  ASSERT_EQ(map.regions[0].rings.size(), 1u);
  const auto& ring = map.regions[0].rings[0];
  ASSERT_EQ(ring.size(), 4u) << "the closing point is not repeated";
  EXPECT_EQ(ring[0], (GridPoint{0, map_grid})) << "the south-west corner is at the bottom left";
}

TEST(Regions, ReadMultiPolygonsAndPoints) {
  const std::string text = collection({
      feature(R"("name":"a")",
              R"({"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[[[5,5],[6,5],[6,6],[5,5]]]]})"),
      feature(R"("name":"b")", R"({"type":"Point","coordinates":[3,3]})"),
      feature(R"("name":"c")", "null"),
  });
  const RegionMap map = regions_of(text, "", places({"a", "b", "c"}), 0, 3);
  ASSERT_EQ(map.regions.size(), 2u);
  EXPECT_EQ(map.regions[0].rings.size(), 2u);
  EXPECT_EQ(map.regions[1].rings[0].size(), 1u);
  EXPECT_EQ(map.absent, std::vector<std::size_t>{2});
}

TEST(Regions, SayWhatIsWrong) {
  const Labels labels = places({"here", "there"});
  EXPECT_THAT(refusal("{", labels), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal("[1]", labels), HasSubstr("FeatureCollection"));
  EXPECT_THAT(refusal(R"({"features":[1,{}]})", labels), HasSubstr("no feature has an outline"));
  EXPECT_THAT(refusal(collection({feature("", R"({"type":"Polygon","coordinates":[[["a",2]]]})")}), labels),
              HasSubstr("two numbers"));
  EXPECT_THAT(refusal(collection({feature("", R"({"type":"Polygon","coordinates":7})")}), labels), HasSubstr("nested"));
  EXPECT_THAT(refusal(collection({feature("", R"({"type":5,"coordinates":7})")}), labels),
              HasSubstr("no feature has an outline"));
  const std::string other = refusal(collection({feature(R"("name":"elsewhere")", square(0, 0, 1))}), labels);
  EXPECT_THAT(other, HasSubstr("'here'"));
  EXPECT_THAT(other, HasSubstr("name ('elsewhere')"));
  EXPECT_THROW(read_regions("place", labels, {2}), Error);
  EXPECT_THROW(read_regions("place=/no/such/file.geojson:name", labels, {2}), Error);
  EXPECT_THROW(read_regions("nowhere=x.geojson", labels, {2}), Error);
}

TEST(Svg, DrawsAMapWhereRegionsAreGiven) {
  Labels labels(2);
  labels.mode(0) = {"place", {"north & <b>", "south"}};
  const std::string text =
      collection({feature(R"("name":"north & <b>")", square(0, 1, 1)), feature(R"("name":"south")", square(0, 0, 1))});
  KTensor model = some_model({2, 6}, 1);
  model.factors.at(0, 0, 0) = 1;
  model.factors.at(0, 1, 0) = 3;
  SvgOptions options;
  options.maps = {regions_of(text, "", labels, 0, 2)};
  const std::string svg = components_svg(model, labels, options);
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_THAT(svg, HasSubstr("fill-opacity=\"1.000\""));
  EXPECT_THAT(svg, HasSubstr("fill-opacity=\"0.333\""));
  EXPECT_THAT(svg, HasSubstr("north &amp; &lt;b&gt;"));
}

TEST(Regions, ACutTextIsRefusedAtEveryByte) {
  const std::string text = collection({feature(R"("id":7,"name":"Old Town")", square(0, 0, 1))});
  EXPECT_EQ(refusal(text, places({"Old Town"})), "");
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_NE(refusal(text.substr(0, size), places({"Old Town"})), "") << size;
  }
}

// A million brackets: an error, not the end of the stack.
TEST(Regions, DeepTextIsRefused) {
  EXPECT_NE(refusal(std::string(1000000, '['), places({"x"})), "");
  const std::string deep = std::string(1000000, '[') + std::string(1000000, ']');
  EXPECT_THAT(refusal(deep, places({"x"})), HasSubstr("nested more than 64 deep"));
  const std::string within = R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{"x":)" + deep +
                             R"(},"geometry":{"type":"Point","coordinates":[1,2]}}]})";
  EXPECT_THAT(refusal(within, places({"x"})), HasSubstr("nested more than 64 deep"));
}

}  // namespace
}  // namespace polyad
