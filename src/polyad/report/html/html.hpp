#pragma once
// A report as one HTML file that opens offline: data, style, D3 and our viewer in a single page. Nothing that comes from
// data is markup: texts travel as JSON in which '<' cannot occur, and the viewer only ever sets text. A content security
// policy forbids the page any request and any script but its own.
//
// What it shows is JSON that the viewer reads (viewer/data.js decodes it). Long modes are cut to what can be
// seen: the largest entries of names, the peaks of curves; everything else would only make the page heavy.
//
//   {"version", "title",
//    "modes":  [{"name", "size", "kind", "labels", "map"}],
//    "models": [{"name", "rank", "nonnegative", "weights", "shares", "names", "factors", "traces", "options", "summary",
//                "fit", "slices", "starts", "commands"}],
//    "matches": [{"a", "b", "score", "match", "cosines", "modes"}]}
//
//   labels   null (numbers), all texts in order, or {"index", "text"} for those the page mentions
//   factors  per mode: {"full": floats, component by component} or
//            {"parts": [{"index", "value", "rest"} per component]}; numbers are packed (report_parts.hpp)
//   map      {"width", "height", "regions": [{"index", "rings": [[x, y, dx, dy, ...]]}], "background"}

#include <polyad/base/json.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/report/regions.hpp>

#include <string>
#include <vector>

namespace polyad {

struct ReportModel {
  std::string name;  ///< as the page calls it: the file's name
  ModelFile file;
};

struct ReportOptions {
  std::string title = {};            ///< empty: the first model's name
  std::vector<RegionMap> maps = {};  ///< at most one per mode
  double most_values = 500'000;      ///< of a mode, over all components and models, that are given in full
};

/// The models must have the same shape (usage error); labels are those of the first that has any.
Json report_data(const std::vector<ReportModel>& models, const ReportOptions& options);

std::string report_html(const std::vector<ReportModel>& models, const ReportOptions& options = {});

}  // namespace polyad
