#include <polyad/model/compare.hpp>

#include <polyad/base/json_value.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

constexpr double most_products = 3e9;  // about two seconds

bool usable(const KTensor& model) {
  return model.factors.all_finite() &&
         std::all_of(model.weights.begin(), model.weights.end(), [](double w) { return std::isfinite(w); });
}

}  // namespace

StartLikeness start_likeness(const std::vector<KTensor>& solutions, const KTensor& best, std::size_t position) {
  StartLikeness out;
  const std::size_t starts = solutions.size();
  double pair = 0;
  for (const std::uint64_t extent : best.factors.extents()) {
    pair += static_cast<double>(extent) * static_cast<double>(best.rank() * best.rank());
  }
  if (starts < 2 || pair * static_cast<double>(starts) > most_products) return out;
  out.stability.assign(best.rank(), 0.0);
  for (std::size_t s = 0; s < starts; ++s) {
    if (s == position || !usable(solutions[s])) {
      out.to_best.push_back(s == position ? 1 : 0);
      continue;
    }
    const Score found = score(best, solutions[s]);
    out.to_best.push_back(found.value);
    for (std::size_t j = 0; j < best.rank(); ++j) {
      if (found.cosines[j] >= alike) out.stability[j] += 1.0 / static_cast<double>(starts - 1);
    }
  }
  if (pair * static_cast<double>(starts * (starts - 1)) / 2 > most_products) return out;
  out.matrix.assign(starts, std::vector<double>(starts, 1.0));
  for (std::size_t a = 0; a < starts; ++a) {
    for (std::size_t b = a + 1; b < starts; ++b) {
      const bool with_best = a == position || b == position;
      const double value = with_best                                      ? out.to_best[a == position ? b : a]
                           : usable(solutions[a]) && usable(solutions[b]) ? score(solutions[a], solutions[b]).value
                                                                          : 0;
      out.matrix[a][b] = out.matrix[b][a] = value;
    }
  }
  return out;
}

Json to_json(const Score& score) {
  Json out{{"score", score.value}, {"components", Json::array()}};
  for (std::size_t j = 0; j < score.match.size(); ++j) {
    const std::size_t match = score.match[j];
    out["components"].push_back({{"reference", j + 1},
                                 {"other", match == Score::npos ? Json(nullptr) : Json(match + 1)},
                                 {"cosine", score.cosines[j]}});
  }
  return out;
}

std::string json_text(const Score& score) {
  return to_json(score).dump(2);
}

void add_likeness(Json& diagnostics, const StartLikeness& likeness) {
  if (likeness.to_best.empty()) return;
  Json& out = diagnostics["start-likeness"];
  out["best"] = likeness.to_best;
  out["matrix"] = likeness.matrix.empty() ? Json(nullptr) : Json(likeness.matrix);
  diagnostics["component-stability"] = likeness.stability;
}

}  // namespace polyad
