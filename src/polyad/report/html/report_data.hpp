#pragma once
// What an HTML report shows, as the JSON its viewer reads (viewer/data.js decodes it). Long modes are cut to what can be
// seen: the largest entries of names, the peaks of curves; everything else would only make the page heavy.
//
//   {"version", "title",
//    "modes":  [{"name", "size", "kind", "labels", "map"}],
//    "models": [{"name", "rank", "nonnegative", "weights", "shares", "names", "factors", "traces", "options", "summary",
//                "fit", "slices", "starts", "commands"}],
//    "matches": [{"a", "b", "score", "match", "cosines", "modes"}]}
//
//   labels   null (numbers), all texts in order, or {"index", "text"} for those the page mentions
//   factors  a mode: {"full": floats, component by component} or
//            {"parts": [{"index", "value", "rest"} a component]}; numbers packed as pack.hpp says
//   map      {"width", "height", "regions": [{"index", "rings": [[x, y, dx, dy, ...]]}], "background"}

#include <polyad/base/json.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/report.hpp>

#include <vector>

namespace polyad {

/// The models must have the same shape (usage error); labels are those of the first that has any.
Json report_data(const std::vector<ReportModel>& models, const ReportOptions& options);

}  // namespace polyad
