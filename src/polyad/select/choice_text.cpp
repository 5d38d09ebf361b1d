// A choice for people and for programs.

#include <polyad/base/json_value.hpp>
#include <polyad/base/text.hpp>
#include <polyad/select.hpp>
#include <polyad/solve/options_json.hpp>

#include <fmt/format.h>

#include <cmath>

namespace polyad {

namespace {

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string remarks_of(const Candidate& candidate) {
  std::string text;
  if (candidate.stopped) text += "  stopped: cannot win";
  if (candidate.idle_components()) text += "  has idle components";
  return text;
}

}  // namespace

std::string describe(const Choice& choice) {
  std::string text = fmt::format("held out: {}, {} times\n", choice.held_out, choice.candidates.front().fits.size());
  text += " rank  explained: training  held-out     behind the best  found again  seconds\n";
  for (std::size_t c = 0; c < choice.candidates.size(); ++c) {
    const Candidate& candidate = choice.candidates[c];
    const std::string behind =
        c == choice.best ? std::string("best")
                         : fmt::format("{:.2f} +- {:.2f}", 100 * candidate.behind, 100 * candidate.behind_error);
    const std::string again =
        candidate.found_again ? fmt::format("{:.1f} of {}", *candidate.found_again, candidate.rank) : std::string("-");
    text += fmt::format("{}{:>4}  {:>17.2f} %  {:>6.2f} %  {:>18}  {:>11}  {:>7.1f}{}\n",
                        c == choice.recommended ? '>' : ' ', candidate.rank, 100 * candidate.training_explained,
                        100 * candidate.explained, behind, again, candidate.seconds(), remarks_of(candidate));
  }
  text += choice.reason + "\n";
  if (choice.interrupted) text += "the selection was ended early: larger ranks or repeats are missing\n";
  return text;
}

std::string json_text(const Choice& choice) {
  Json out;
  out["rank"] = choice.chosen().rank;
  out["best-rank"] = choice.candidates[choice.best].rank;
  out["reason"] = choice.reason;
  out["held-out"] = choice.held_out;
  out["interrupted"] = choice.interrupted;
  out["seconds"] = choice.seconds;
  out["remarks"] = choice.remarks;
  out["options"] = to_json(choice.options);
  out["options"].erase("rank");
  for (const Candidate& candidate : choice.candidates) {
    Json shown;
    shown["rank"] = candidate.rank;
    shown["training-explained"] = number(candidate.training_explained);
    shown["held-out-explained"] = number(candidate.explained);
    shown["behind"] = number(candidate.behind);
    shown["behind-standard-error"] = number(candidate.behind_error);
    shown["found-again"] = candidate.found_again ? number(*candidate.found_again) : Json(nullptr);
    shown["stopped"] = candidate.stopped;
    shown["idle-components"] = candidate.idle_components();
    shown["seconds"] = candidate.seconds();
    for (const CandidateFit& fit : candidate.fits) {
      shown["repeats"].push_back({{"loss", number(fit.loss)},
                                  {"null-loss", number(fit.null_loss)},
                                  {"best-loss", number(fit.best_loss)},
                                  {"training-explained", number(fit.training_explained)},
                                  {"seconds", fit.seconds}});
    }
    out["candidates"].push_back(std::move(shown));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace polyad
