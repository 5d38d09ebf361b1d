#pragma once
// What became of one model's components in another, in words and as JSON (model/changes.hpp). Components have the numbers that `show`
// gives them; labels are those of the models.

#include <polyad/base/json.hpp>
#include <polyad/model/changes.hpp>
#include <polyad/report.hpp>

#include <string>

namespace polyad {

/// The models as read by people (readable.hpp), which all numbers refer to.
struct ModelComparison {
  ReportModel before, after;
  ModelChanges changes;
};

ModelComparison compare_models(const ReportModel& before, const ReportModel& after, const ChangeOptions& options = {});

std::string compare_text(const ModelComparison& comparison);
/// {"score", "remarks", "components": [{"before", "after", "change", "likeness", "strength": {"before", "after"}, "modes": [{"mode",
/// "likeness", "labels": [{"label", "before", "after"}]}]}]}
Json compare_json(const ModelComparison& comparison);

}  // namespace polyad
