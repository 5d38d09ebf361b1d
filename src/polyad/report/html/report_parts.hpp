#pragma once
// What an HTML report shows, as the JSON its viewer reads (viewer/data.js decodes it). Long modes are cut to what can be
// seen: the largest entries of names, the peaks of curves; everything else would only make the page heavy.
//
//   {"version", "title",
//    "modes":  [{"name", "size", "kind", "labels", "map"}],
//    "models": [{"name", "rank", "nonnegative", "weights", "shares", "names", "factors", "traces", "options", "summary",
//                "fit", "slices", "starts", "commands", "surprise"}],
//    "matches": [{"a", "b", "score", "match", "cosines", "modes"}]}
//
//   labels   null (numbers), all texts in order, or {"index", "text"} for those the page mentions
//   factors  per mode: {"full": floats, component by component} or
//            {"parts": [{"index", "value", "rest"} per component]}; numbers are packed (below)
//   map      {"width", "height", "regions": [{"index", "rings": [[x, y, dx, dy, ...]]}], "background"}

#include <polyad/base/json_value.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/model.hpp>
#include <polyad/model/shared_labels.hpp>
#include <polyad/report.hpp>
#include <polyad/report/mode_kind.hpp>
#include <polyad/report/text/readable.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

/// Over the union of the models' labels; without labels the shapes must be the same (usage error).
Json report_data(const std::vector<ReportModel>& models, const ReportOptions& options);

// --- The pieces it is put together from. ---

/// Which entries of a mode the page holds: all of them, or those it mentions.
struct ModeExtract {
  bool full = true;
  std::set<std::uint32_t> mentioned;
};

std::string_view word_of_kind(ModeKind kind);

/// The columns of one mode of one model; notes in `extract` which entries it mentions.
Json factor_json(const KTensor& model, std::size_t mode, ModeKind kind, ModeExtract& extract);
Json labels_json(const ModeLabels& labels, const ModeExtract& extract);
Json map_json(const RegionMap& map);
/// How the fit went and how good it is, as far as the file says.
Json traces_json(const std::vector<Trace>& traces);
Json slices_json(const ModelFile& file, std::vector<ModeExtract>& extracts);
/// "polyad fit DATA --rank 10 ...": the options as used, quoted for a shell.
std::string fit_command(const ModelFile& file);

/// Fewer points of a long column, none of its peaks lost: the lowest and highest entry of each of `stretches` equal stretches, in order (so at most two per stretch); every entry
/// where there are no more than that.
std::vector<std::size_t> thinned(std::span<const double> column, std::size_t stretches);

// Numbers as compact text: little-endian 32-bit, base64. A third of the size of decimal digits and quick to read; seven digits are
// more than any picture shows.

std::string base64(std::string_view bytes);
/// As floats; what is not finite becomes NaN, which a viewer leaves out.
std::string packed_floats(std::span<const double> values);
std::string packed_indices(std::span<const std::uint32_t> indices);

/// Which component of one model is which of another, and how alike they are in each mode.
struct ModelMatch {
  double score = 0;                               ///< as score() gives it
  std::vector<std::size_t> match;                 ///< component of `b` for each of `a`, Score::npos where there is none
  std::vector<double> cosines;                    ///< product over the modes, for each component of `a`
  std::vector<std::vector<double>> mode_cosines;  ///< the same by mode; empty where unmatched
};

/// Over the labels that both have. O(sum of extents x (rank_a rank_b)), as score(). In a mode without shared labels cosines are NaN.
ModelMatch match_models(const KTensor& a, const LabelledSpace& space_a, const KTensor& b, const LabelledSpace& space_b);

/// The models over the union of their labels, so that one page can show them: modes as the first model has them, by name; labels of
/// the first model and then those that only others have, or all of them in order where every model has them so (dates). What a
/// model does not have is zero there. Models that agree stay as they are. A usage error where models without labels differ in shape.
std::vector<ReportModel> on_common_labels(const std::vector<ReportModel>& models);

// What runs inside the page; made from viewer/ and D3 when polyad is built (viewer/embed.cmake).

std::string_view viewer_d3();
std::string_view viewer_script();
std::string_view viewer_style();

}  // namespace polyad
