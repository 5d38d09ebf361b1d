#pragma once
// The part of GeoJSON (RFC 7946) that a map of regions needs: features with properties and outlines.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

struct GeoPoint {
  double x = 0, y = 0;
};

struct GeoFeature {
  std::map<std::string, std::string> properties;  ///< texts and numbers; numbers as people write them
  std::vector<std::vector<GeoPoint>> rings;       ///< of all its polygons; a point is a ring of one
};

/// A data error says what is wrong where the text is no GeoJSON or holds no outlines; features without an outline are
/// left out.
std::vector<GeoFeature> parse_geojson(std::string_view text);

}  // namespace polyad
