#pragma once
// Models to look at: tables for terminals and programs, pictures, and an interactive page that opens offline.
//
//   std::string text = show_text(model, labels);
//   write_report("report.html", {{"city", read_model("city-model.h5")}});

#include <polyad/fields.hpp>
#include <polyad/files.hpp>
#include <polyad/model.hpp>
#include <polyad/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace polyad {

// --- words ------------------------------------------------------------------------------------------------------------------------
//
// For each component its weight and, for each mode, the entries that carry it.

struct ShowOptions {
  std::uint64_t top = 5;
  std::optional<std::uint64_t> component = {};
  std::uint64_t width = 80;
  bool color = false;
  bool ascii = false;
  bool raw = false;                     ///< CSV: labels as they are, also those that a spreadsheet takes for formulas
  std::vector<std::string> names = {};  ///< of the components of the model, in its order; empty: only numbers

  static auto fields() {
    using O = ShowOptions;
    return std::tuple{
        field("top", &O::top, "entries to show of each mode", at_least(1)),
        field("component", &O::component,
              "only the component of this number (1 is the largest of a fitted model); auto: all", at_least(1)),
        field("width", &O::width, "columns to fill", within(40, 400)),
        field("color", &O::color, "colours"),
        field("ascii", &O::ascii, "plain ASCII instead of block characters"),
    };
  }
};

/// Components in the order of the model. `model` need not be normalised; labels may be empty. No line is wider than
/// `width`. A usage error where `component` is beyond the rank.
std::string show_text(const KTensor& model, const Labels& labels, const ShowOptions& options = {});
/// {"rank", "shape", "modes", "nonnegative", "components": [{"component", "name", "weight", "share",
/// "modes": [{"name", "top": [{"index", "label", "value"}]}]}]}; indices count from 1.
std::string show_json(const KTensor& model, const Labels& labels, const ShowOptions& options = {});
/// All entries, one per line: component,weight,mode,index,label,value; indices count from 1.
std::string show_csv(const KTensor& model, const Labels& labels, const ShowOptions& options = {});

/// "rank 10, loss poisson, 38 % of the deviance explained, 3 starts": as far as the file says; empty where it says nothing.
std::string fit_summary(const ModelFile& file);
/// Names of components, where a model file has them (planted patterns do): one per component, or empty.
std::vector<std::string> component_names(const ModelFile& file);

// --- maps -------------------------------------------------------------------------------------------------------------------------

/// A point of a map, on a grid that is finer than any screen.
struct GridPoint {
  int x = 0, y = 0;  ///< y grows downwards, as on screens
  friend bool operator==(const GridPoint&, const GridPoint&) = default;
};

/// The outline of one index.
struct Region {
  std::size_t index = 0;
  std::vector<std::vector<GridPoint>> rings;  ///< even-odd; a ring of one point is a place without extent
};

/// A mode drawn as a map.
struct RegionMap {
  std::size_t mode = 0;
  int width = 0, height = 0;
  std::vector<Region> regions;      ///< of indices, several of one index where the file has several
  std::vector<Region> background;   ///< features that no index names
  std::vector<std::size_t> absent;  ///< indices without a region
};

/// Reads an argument "MODE=FILE" or "MODE=FILE:PROPERTY": the regions of a GeoJSON file, matched with the labels of a mode by a
/// property (without one, by that which matches most). Errors name the file.
RegionMap read_regions(const std::string& argument, const Labels& labels, const std::vector<std::uint64_t>& extents);

// --- pictures ---------------------------------------------------------------------------------------------------------------------
//
// A row per component, a column per mode, each mode drawn as what it is (dates and long modes as lines, hours and short modes as
// bars, names as labelled bars). Self-contained SVG without scripts; all text is escaped. A few kilobytes per panel, however long
// the mode (lines keep their peaks when thinned).

struct SvgOptions {
  double width = 1200;                  ///< at least what the columns need
  std::size_t top = 10;                 ///< entries shown of a mode with many names
  std::size_t components = 0;           ///< how many, from the first on; 0: all
  std::string title = {};               ///< above the grid; empty: none
  std::vector<RegionMap> maps = {};     ///< of modes to draw as maps
  std::vector<std::string> names = {};  ///< of the components of `model`, in its order; empty: only numbers
};

/// `model` need not be normalised. Labels may be empty; where given they must fit (data error).
std::string components_svg(const KTensor& model, const Labels& labels, const SvgOptions& options = {});

// --- pages ------------------------------------------------------------------------------------------------------------------------
//
// A report is one HTML file that opens offline: data, style, D3 and our viewer in a single page. Nothing that comes from data is
// markup: texts travel as JSON in which '<' cannot occur, and the viewer only ever sets text. A content security policy forbids the
// page any request and any script but its own.

struct ReportModel {
  std::string name;  ///< as the page calls it: the file's name
  ModelFile file;
  Notes surprise = {};  ///< what it did not expect in some data (surprise_json), for a tab of its own; empty: none
};

struct ReportOptions {
  std::string title = {};            ///< empty: the first model's name
  std::vector<RegionMap> maps = {};  ///< at most one per mode
  double most_values = 500'000;      ///< of a mode, over all components and models, that are given in full
};

/// Labels may differ in part: a page shows the union of them and compares what models share. Without labels shapes must be the same
/// (usage error).
std::string report_html(const std::vector<ReportModel>& models, const ReportOptions& options = {});

/// Throws where a report cannot be written there: neither .html nor .svg, no such folder, ...
void check_report_path(const std::string& path);
/// An interactive page of all models (.html), or a picture of the first (.svg), whose settings `picture` are; title and maps are
/// those of `options`.
void write_report(const std::string& path, const std::vector<ReportModel>& models, const ReportOptions& options = {},
                  SvgOptions picture = {});

}  // namespace polyad
