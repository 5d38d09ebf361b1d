#pragma once
// The outlines of a mode's indices, so that it can be drawn as a map: read from GeoJSON, matched with the labels, laid on
// a plane and rounded to a grid that is finer than any screen. Longitudes are narrowed by the cosine of the middle
// latitude; coordinates beyond 180 and 90 degrees are taken as a plane already. O(points of the file).

#include <polyad/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

struct GridPoint {
  int x = 0, y = 0;  ///< y grows downwards, as on screens
  friend bool operator==(const GridPoint&, const GridPoint&) = default;
};

struct Region {
  std::size_t index = 0;
  std::vector<std::vector<GridPoint>> rings;  ///< even-odd; a ring of one point is a place without extent
};

struct RegionMap {
  std::size_t mode = 0;
  int width = 0, height = 0;
  std::vector<Region> regions;      ///< of indices, several of one index where the file has several
  std::vector<Region> background;   ///< features that no index names
  std::vector<std::size_t> absent;  ///< indices without a region
};

/// The longer side of every map.
inline constexpr int map_grid = 2000;

/// Reads the features of a GeoJSON text (Polygon, MultiPolygon, Point, MultiPoint) and matches them with the labels of
/// `mode` by a property: by the whole label, by the label without a number in front, or by that number, whichever names
/// most; case does not matter. Without labels indices match by number, counted from 1. An empty `property` means the one
/// that matches most. A data error where nothing matches says what both sides look like.
RegionMap regions_of(std::string_view geojson, std::string_view property, const Labels& labels, std::size_t mode,
                     std::uint64_t extent);

/// Reads an argument "MODE=FILE" or "MODE=FILE:PROPERTY"; errors name the file.
RegionMap read_regions(const std::string& argument, const Labels& labels, const std::vector<std::uint64_t>& extents);

}  // namespace polyad
