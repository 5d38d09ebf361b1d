#pragma once
// The pieces report_data is put together from.

#include <polyad/base/json_value.hpp>
#include <polyad/report/html/report_data.hpp>
#include <polyad/report/mode_kind.hpp>
#include <polyad/report/text/readable.hpp>

#include <cstdint>
#include <set>
#include <vector>

namespace polyad {

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
/// How the fit went and how good it is, as far as the file tells.
Json traces_json(const std::vector<Trace>& traces);
Json slices_json(const ModelFile& file, std::vector<ModeExtract>& extracts);
/// "polyad fit DATA --rank 10 ...": the options as used, quoted for a shell.
std::string fit_command(const ModelFile& file);

}  // namespace polyad
