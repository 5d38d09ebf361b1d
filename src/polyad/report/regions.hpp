#pragma once
// The outlines of a mode's indices, so that it can be drawn as a map: read from GeoJSON, matched with the labels, laid on
// a plane and rounded to a grid that is finer than any screen. Longitudes are narrowed by the cosine of the middle
// latitude; coordinates beyond 180 and 90 degrees are taken as a plane already. O(points of the file).

#include <polyad/report.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

/// The longer side of every map.
inline constexpr int map_grid = 2000;

/// Reads the features of a GeoJSON text (Polygon, MultiPolygon, Point, MultiPoint) and matches them with the labels of
/// `mode` by a property: by the whole label, by the label without a number in front, or by that number, whichever names
/// most; case does not matter. Without labels indices match by number, counted from 1. An empty `property` means the one
/// that matches most. A data error where nothing matches says what both sides look like.
RegionMap regions_of(std::string_view geojson, std::string_view property, const Labels& labels, std::size_t mode,
                     std::uint64_t extent);

// The part of GeoJSON (RFC 7946) that a map of regions needs: features with properties and outlines (geojson.cpp).

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
