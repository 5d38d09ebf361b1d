#include <polyad/base/error.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/io/isolated/pack.hpp>
#include <polyad/report/regions.hpp>

#include <fmt/format.h>

#include <cmath>

namespace polyad {

namespace {

GeoPoint geo_point(const Json& position) {
  if (!position.is_array() || position.size() < 2 || !position[0].is_number() || !position[1].is_number()) {
    fail(ErrorKind::data, "a position is not a list of two numbers");
  }
  const GeoPoint p{position[0].get<double>(), position[1].get<double>()};
  if (!std::isfinite(p.x) || !std::isfinite(p.y)) fail(ErrorKind::data, "a position is not finite");
  return p;
}

const Json& geo_list(const Json& json) {
  if (!json.is_array()) fail(ErrorKind::data, "coordinates are not nested as their type says");
  return json;
}

void add_polygon(const Json& polygon, GeoFeature& feature) {
  for (const Json& ring : geo_list(polygon)) {
    std::vector<GeoPoint> points;
    for (const Json& position : geo_list(ring)) points.push_back(geo_point(position));
    if (points.size() >= 3) feature.rings.push_back(std::move(points));
  }
}

void add_geometry(const Json& geometry, GeoFeature& feature) {
  if (!geometry.is_object()) return;
  const auto name = geometry.find("type");
  const auto coordinates = geometry.find("coordinates");
  if (name == geometry.end() || !name->is_string() || coordinates == geometry.end()) return;
  const std::string type = name->get<std::string>();
  if (type == "Polygon") {
    add_polygon(*coordinates, feature);
  } else if (type == "MultiPolygon") {
    for (const Json& polygon : geo_list(*coordinates)) add_polygon(polygon, feature);
  } else if (type == "Point") {
    feature.rings.push_back({geo_point(*coordinates)});
  } else if (type == "MultiPoint") {
    for (const Json& position : geo_list(*coordinates)) feature.rings.push_back({geo_point(position)});
  }
}

std::string property_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.dump();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return {};
}

GeoFeature read_feature(const Json& json) {
  GeoFeature feature;
  if (const auto id = json.find("id"); id != json.end()) feature.properties["id"] = property_text(*id);
  const auto properties = json.find("properties");
  if (properties != json.end() && properties->is_object()) {
    for (const auto& item : properties->items()) {
      std::string text = property_text(item.value());
      if (!text.empty()) feature.properties[item.key()] = std::move(text);
    }
  }
  const auto geometry = json.find("geometry");
  if (geometry != json.end()) add_geometry(*geometry, feature);
  return feature;
}

}  // namespace

std::vector<GeoFeature> parse_geojson(std::string_view text) {
  if (nested_too_deep(text)) fail(ErrorKind::data, "this is not GeoJSON: it is nested more than 64 deep");
  const Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) fail(ErrorKind::data, "this is not valid JSON");
  const auto list = json.is_object() ? json.find("features") : json.end();
  if (list == json.end() || !list->is_array()) {
    fail(ErrorKind::data, "this is no GeoJSON FeatureCollection: it has no list of features");
  }
  std::vector<GeoFeature> features;
  for (const Json& item : *list) {
    if (!item.is_object()) continue;
    GeoFeature feature = read_feature(item);
    if (!feature.rings.empty()) features.push_back(std::move(feature));
  }
  if (features.empty()) fail(ErrorKind::data, "no feature has an outline (Polygon, MultiPolygon or Point)");
  return features;
}

}  // namespace polyad
