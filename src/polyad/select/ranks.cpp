#include <polyad/select/ranks.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace polyad {

namespace {

constexpr std::array<std::uint64_t, 8> coarse_ranks = {1, 2, 3, 4, 6, 8, 12, 16};
// So many ranks in a row must be no better than an earlier one before larger ones are given up.
constexpr std::size_t patience = 2;
constexpr std::uint64_t largest_rank = 10'000;

std::uint64_t rank_number(std::string_view text, const std::string& whole) {
  std::uint64_t rank = 0;
  parse_value(option_name("ranks"), text, rank);
  if (rank < 1 || rank > largest_rank) {
    fail(ErrorKind::usage, "`ranks`: {} in '{}' is not from 1 to {}", rank, whole, largest_rank);
  }
  return rank;
}

std::size_t best_of(const std::vector<Candidate>& candidates) {
  // The smallest of equals.
  return static_cast<std::size_t>(std::ranges::min_element(candidates, {}, &Candidate::behind) - candidates.begin());
}

bool as_good(const Candidate& candidate) {
  return candidate.behind <= candidate.behind_error;
}

std::size_t smallest_as_good(const std::vector<Candidate>& candidates) {
  return static_cast<std::size_t>(std::ranges::find_if(candidates, as_good) - candidates.begin());
}

std::string percent(double share) {
  return fmt::format("{:.3g} %", 100 * share);
}

std::string points(double share, double error) {
  return fmt::format("{:.2g} +- {:.1g} points", 100 * share, 100 * error);
}

}  // namespace

std::vector<std::uint64_t> parse_ranks(const std::string& text) {
  std::vector<std::uint64_t> ranks;
  if (text.empty() || text == "auto") return ranks;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    const std::size_t colon = item.find(':');
    const std::uint64_t first = rank_number(item.substr(0, colon), text);
    const std::uint64_t last = colon == std::string_view::npos ? first : rank_number(item.substr(colon + 1), text);
    if (last < first)
      fail(ErrorKind::usage, "`ranks`: '{}' in '{}' counts down; write the smaller rank first", item, text);
    for (std::uint64_t rank = first; rank <= last; ++rank) ranks.push_back(rank);
  }
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

std::optional<std::uint64_t> next_rank(const std::vector<Candidate>& candidates) {
  if (candidates.empty()) return coarse_ranks.front();
  const std::size_t best = best_of(candidates);
  const std::uint64_t largest = candidates.back().rank;
  if (candidates.size() - 1 - best < patience && largest < coarse_ranks.back()) {
    return *std::ranges::find_if(coarse_ranks, [&](std::uint64_t rank) { return rank > largest; });
  }
  const std::size_t chosen = smallest_as_good(candidates);
  if (chosen == 0) return std::nullopt;
  const std::uint64_t below = candidates[chosen - 1].rank;
  const std::uint64_t rank = candidates[chosen].rank;
  if (rank - below < 2) return std::nullopt;
  return below + (rank - below) / 2;
}

void recommend(Choice& choice, bool ranks_given) {
  const std::vector<Candidate>& all = choice.candidates;
  choice.best = best_of(all);
  choice.recommended = smallest_as_good(all);
  const Candidate& chosen = choice.chosen();
  const Candidate& best = all[choice.best];
  const bool largest = choice.best + 1 == all.size() && all.size() > 1;
  const std::string own = fmt::format("{} of the deviance in held-out cells", percent(chosen.explained));
  const bool rises = largest && all[all.size() - 2].behind > all[all.size() - 2].behind_error;
  if (chosen.rank == 1 && !(chosen.explained > 0)) {
    choice.reason = "rank 1: no rank explains held-out cells better than a constant; there is no structure to be found";
  } else if (chosen.rank == 1 && all.size() > 1) {
    choice.reason =
        fmt::format("rank 1 is as good as any larger rank tried ({}): there is no structure beyond the margins", own);
  } else if (rises && choice.recommended == choice.best) {
    choice.reason = fmt::format(
        "rank {} explains {}, and held-out cells are still explained better and better at this "
        "largest rank tried{}",
        chosen.rank, own, ranks_given ? ": try larger ranks" : "");
  } else if (choice.recommended == choice.best && choice.recommended > 0) {
    const Candidate& below = all[choice.recommended - 1];
    choice.reason = fmt::format("rank {} explains {}, more than any other rank tried; rank {} explains {} less",
                                chosen.rank, own, below.rank, points(below.behind, below.behind_error));
  } else if (choice.recommended != choice.best) {
    choice.reason =
        fmt::format("rank {} is the smallest within one standard error of the best: it explains {}, rank {} {} more",
                    chosen.rank, own, best.rank, points(chosen.behind, chosen.behind_error));
  } else {
    choice.reason = fmt::format("rank {} explains {}, more than any other rank tried", chosen.rank, own);
  }
}

}  // namespace polyad
