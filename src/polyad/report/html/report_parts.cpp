#include <polyad/report/html/report_parts.hpp>

#include <polyad/model.hpp>
#include <polyad/report.hpp>
#include <polyad/report/text/text.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

constexpr std::size_t most_names = 200;       // of a long mode of names, a component
constexpr std::size_t most_stretches = 2000;  // of a long curve, two points each
constexpr std::size_t most_rows = 1500;       // of a start's trace
constexpr std::size_t worst_slices = 200;     // of a long mode

Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

}  // namespace

std::string_view word_of_kind(ModeKind kind) {
  switch (kind) {
    case ModeKind::time:
      return "time";
    case ModeKind::hours:
      return "hours";
    case ModeKind::cycle:
      return "cycle";
    case ModeKind::index:
      return "index";
    case ModeKind::few:
      return "few";
    case ModeKind::many:
      return "many";
  }
  return "index";
}

Json factor_json(const KTensor& model, std::size_t mode, ModeKind kind, ModeExtract& extract) {
  if (extract.full) {
    std::vector<double> values;
    for (std::size_t j = 0; j < model.rank(); ++j) {
      const std::vector<double> column = column_of(model, mode, j);
      values.insert(values.end(), column.begin(), column.end());
    }
    return {{"full", packed_floats(values)}};
  }
  Json parts = Json::array();
  const bool curve = kind == ModeKind::time || kind == ModeKind::index;
  for (std::size_t j = 0; j < model.rank(); ++j) {
    const std::vector<double> column = column_of(model, mode, j);
    std::vector<std::size_t> kept = curve ? thinned(column, most_stretches) : top_entries(column, most_names);
    if (curve) {
      // The ends hold the axis, the largest entries the table of the component.
      kept.push_back(0);
      kept.push_back(column.size() - 1);
      for (const std::size_t i : top_entries(column, most_names)) kept.push_back(i);
      std::sort(kept.begin(), kept.end());
      kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    }
    std::vector<std::uint32_t> index(kept.begin(), kept.end());
    std::vector<double> values;
    double rest = 0;
    for (const double v : column) rest += v;
    for (const std::size_t i : kept) {
      values.push_back(column[i]);
      rest -= column[i];
    }
    extract.mentioned.insert(index.begin(), index.end());
    parts.push_back({{"index", packed_indices(index)}, {"value", packed_floats(values)}, {"rest", finite(rest)}});
  }
  return {{"parts", std::move(parts)}};
}

Json labels_json(const ModeLabels& labels, const ModeExtract& extract) {
  if (labels.entries.empty()) return nullptr;
  if (extract.full) {
    Json texts = Json::array();
    for (const std::string& entry : labels.entries) texts.push_back(printable(entry));
    return texts;
  }
  Json texts = Json::array();
  for (const std::uint32_t i : extract.mentioned) texts.push_back(printable(labels.entries[i]));
  const std::vector<std::uint32_t> index(extract.mentioned.begin(), extract.mentioned.end());
  return {{"index", packed_indices(index)}, {"text", std::move(texts)}};
}

Json map_json(const RegionMap& map) {
  const auto rings_json = [](const Region& region) {
    Json rings = Json::array();
    for (const auto& ring : region.rings) {
      Json steps = Json::array();
      GridPoint before;
      for (const GridPoint& p : ring) {
        steps.push_back(p.x - before.x);
        steps.push_back(p.y - before.y);
        before = p;
      }
      rings.push_back(std::move(steps));
    }
    return rings;
  };
  Json out{{"width", map.width}, {"height", map.height}, {"regions", Json::array()}, {"background", Json::array()}};
  for (const Region& region : map.regions) {
    out["regions"].push_back({{"index", region.index}, {"rings", rings_json(region)}});
  }
  for (const Region& region : map.background) out["background"].push_back(rings_json(region));
  return out;
}

Json traces_json(const std::vector<Trace>& traces) {
  Json out = Json::array();
  for (const Trace& trace : traces) {
    Json rows = Json::array();
    const std::size_t step = trace.size() / most_rows + 1;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const TraceRow& row = trace[i];
      // A thinned trace keeps its ends and every rejected epoch.
      if (i % step != 0 && row.accepted && i + 1 != trace.size()) continue;
      rows.push_back({row.epoch, finite(row.seconds), finite(row.estimate), finite(row.rate), row.accepted ? 1 : 0});
    }
    out.push_back(std::move(rows));
  }
  return out;
}

Json slices_json(const ModelFile& file, std::vector<ModeExtract>& extracts) {
  Json out = Json::array();
  double unexplained = 0;  // of all data: every mode's slices add up to it
  if (!file.slices.empty()) {
    for (const SliceFit& slice : file.slices.front()) unexplained += slice.loss - slice.best_loss;
  }
  for (std::size_t k = 0; k < file.slices.size(); ++k) {
    const std::vector<SliceFit>& slices = file.slices[k];
    std::vector<double> left(slices.size());
    for (std::size_t i = 0; i < slices.size(); ++i) left[i] = std::max(0.0, slices[i].loss - slices[i].best_loss);
    std::vector<std::uint32_t> shown;
    if (extracts[k].full) {
      shown.resize(slices.size());
      for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = static_cast<std::uint32_t>(i);
    } else {
      const auto worst = top_entries(left, worst_slices);
      shown.assign(worst.begin(), worst.end());
      extracts[k].mentioned.insert(shown.begin(), shown.end());
    }
    std::vector<double> explained, share, observed, expected;
    for (const std::uint32_t i : shown) {
      const SliceFit& slice = slices[i];
      const double null = slice.null_loss - slice.best_loss;
      explained.push_back(null > 0 ? 1 - (slice.loss - slice.best_loss) / null : std::nan(""));
      share.push_back(unexplained > 0 ? left[i] / unexplained : 0);
      observed.push_back(slice.observed);
      expected.push_back(slice.expected);
    }
    Json mode{{"explained", packed_floats(explained)},
              {"share", packed_floats(share)},
              {"observed", packed_floats(observed)},
              {"expected", packed_floats(expected)}};
    if (!extracts[k].full) mode["index"] = packed_indices(shown);
    out.push_back(std::move(mode));
  }
  return out;
}

}  // namespace polyad
