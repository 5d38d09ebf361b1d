#include <polyad/report/regions.hpp>

#include <polyad/base/error.hpp>
#include <polyad/io/input_file.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/report/mode_kind.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <set>

namespace polyad {

namespace {

std::string folded(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// What of a label may name a feature: all of it, all but a number in front ("7 LINCOLN PARK"), that number alone.
std::array<std::string, 3> names_in(const std::string& label) {
  const std::string whole = folded(label);
  const std::size_t digits = whole.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string::npos || whole[digits] != ' ') return {whole, {}, {}};
  return {whole, folded(whole.substr(digits)), whole.substr(0, digits)};
}

struct Match {
  std::string property;
  std::size_t rule = 0;
  std::size_t found = 0;  // indices that have a feature
};

Match best_match(const std::vector<GeoFeature>& features, std::string_view property,
                 const std::vector<std::array<std::string, 3>>& names) {
  std::map<std::string, std::set<std::string>> values;
  for (const GeoFeature& feature : features) {
    for (const auto& [key, text] : feature.properties) {
      if (property.empty() || key == property) values[key].insert(folded(text));
    }
  }
  Match best;
  for (const auto& value : values) {
    const std::set<std::string>& texts = value.second;
    for (std::size_t rule = 0; rule < 3; ++rule) {
      const auto found = static_cast<std::size_t>(std::count_if(names.begin(), names.end(), [&](const auto& name) {
        return !name[rule].empty() && texts.contains(name[rule]);
      }));
      if (found > best.found) best = {value.first, rule, found};
    }
  }
  return best;
}

[[noreturn]] void nothing_matches(const std::vector<GeoFeature>& features, std::string_view property,
                                  const std::string& mode, const std::string& label) {
  std::string there_is;
  for (const auto& [key, text] : features.front().properties) {
    if (!there_is.empty()) there_is += ", ";
    there_is += fmt::format("{} ('{}')", excerpt(key), excerpt(text));
  }
  if (there_is.empty()) there_is = "none";
  fail(ErrorKind::data, "no label of {} (such as '{}') names a feature by {}; its properties are: {}", mode,
       excerpt(label), property.empty() ? "any property" : fmt::format("property '{}'", excerpt(property)), there_is);
}

// From coordinates to the grid.
class Plane {
 public:
  explicit Plane(const std::vector<GeoFeature>& features) {
    for_each_point(features, [&](const GeoPoint& p) {
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
      high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
    });
    const bool degrees = low_.x >= -180.5 && high_.x <= 180.5 && low_.y >= -90 && high_.y <= 90;
    const double middle = 0.5 * (low_.y + high_.y) * std::numbers::pi / 180;
    narrow_ = degrees ? std::max(0.05, std::cos(middle)) : 1;
    const double side = std::max({(high_.x - low_.x) * narrow_, high_.y - low_.y, 1e-300});
    scale_ = map_grid / side;
  }
  GridPoint operator()(const GeoPoint& p) const {
    return {static_cast<int>(std::lround((p.x - low_.x) * narrow_ * scale_)),
            static_cast<int>(std::lround((high_.y - p.y) * scale_))};
  }
  GridPoint far_corner() const { return (*this)({high_.x, low_.y}); }

 private:
  template <class Visit>
  static void for_each_point(const std::vector<GeoFeature>& features, Visit visit) {
    for (const GeoFeature& feature : features) {
      for (const auto& ring : feature.rings) std::for_each(ring.begin(), ring.end(), visit);
    }
  }
  GeoPoint low_{1e300, 1e300}, high_{-1e300, -1e300};
  double narrow_ = 1, scale_ = 1;
};

Region laid_out(const GeoFeature& feature, const Plane& plane, std::size_t index) {
  Region region{index, {}};
  for (const auto& ring : feature.rings) {
    std::vector<GridPoint> points;
    for (const GeoPoint& p : ring) {
      const GridPoint at = plane(p);
      if (points.empty() || !(points.back() == at)) points.push_back(at);
    }
    if (points.size() > 1 && points.front() == points.back()) points.pop_back();
    region.rings.push_back(std::move(points));
  }
  return region;
}

}  // namespace

RegionMap regions_of(std::string_view geojson, std::string_view property, const Labels& labels, std::size_t mode,
                     std::uint64_t extent) {
  const std::vector<GeoFeature> features = parse_geojson(geojson);
  std::vector<std::array<std::string, 3>> names;
  for (std::size_t i = 0; i < extent; ++i) names.push_back(names_in(entry_title(labels, mode, i)));
  const Match match = best_match(features, property, names);
  if (match.found == 0) nothing_matches(features, property, mode_title(labels, mode), entry_title(labels, mode, 0));

  std::map<std::string, std::size_t> index_of;
  for (std::size_t i = 0; i < extent; ++i) index_of.try_emplace(names[i][match.rule], i);
  const Plane plane(features);
  const GridPoint corner = plane.far_corner();
  RegionMap map{mode, std::max(1, corner.x), std::max(1, corner.y), {}, {}, {}};
  std::vector<bool> present(extent, false);
  for (const GeoFeature& feature : features) {
    const auto text = feature.properties.find(match.property);
    const auto found = text == feature.properties.end() ? index_of.end() : index_of.find(folded(text->second));
    if (found == index_of.end()) {
      map.background.push_back(laid_out(feature, plane, 0));
    } else {
      map.regions.push_back(laid_out(feature, plane, found->second));
      present[found->second] = true;
    }
  }
  for (std::size_t i = 0; i < extent; ++i) {
    if (!present[i]) map.absent.push_back(i);
  }
  return map;
}

namespace {

std::string whole_file(const std::string& path) {
  InputFile file(path);
  std::string text;
  std::array<char, 1 << 16> block;
  for (std::size_t got; (got = file.read(block.data(), block.size())) > 0;) text.append(block.data(), got);
  return text;
}

}  // namespace

RegionMap read_regions(const std::string& argument, const Labels& labels, const std::vector<std::uint64_t>& extents) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == argument.size()) {
    fail(ErrorKind::usage, "'{}' is not of the form MODE=FILE or MODE=FILE:PROPERTY", argument);
  }
  const Labels known = labels.modes() == extents.size() ? labels : Labels(extents.size());
  const std::size_t mode = known.find_mode(argument.substr(0, equals));
  std::string path = argument.substr(equals + 1), property;
  const std::size_t colon = path.rfind(':');
  if (colon != std::string::npos && !std::filesystem::exists(path)) {
    property = path.substr(colon + 1);
    path.resize(colon);
  }
  const std::string text = whole_file(path);
  return in_file(path, [&] { return regions_of(text, property, known, mode, extents[mode]); });
}

}  // namespace polyad
