#pragma once
// Which ranks are tried, and which one is recommended.
//
// Without a list, ranks go up by about half (1, 2, 3, 4, 6, 8, 12, 16) until two in a row are no better than the best before them; the gap
// below the recommended rank is then halved until no rank is left in it, which takes log2 of its width. Held-out loss falls
// steeply up to the right rank and rises slowly behind it, so that the search by halves finds where the steep part ends.
//
// The rule (Breiman et al., Classification and Regression Trees, 1984): the smallest rank whose held-out loss is within one standard
// error of the best. Here the error is that of the paired difference between the two, not of the loss, which is much larger.

#include <polyad/select.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polyad {

/// Ranks by the option; empty where it asks for the automatic list. A usage error says what is wrong.
std::vector<std::uint64_t> parse_ranks(const std::string& text);

/// The next rank to try automatically, given what is known; nothing where the search is at its end. `candidates` are by rank, with
/// their `behind` set.
std::optional<std::uint64_t> next_rank(const std::vector<Candidate>& candidates);

/// Sets best and recommended rank and the reason, from the candidates' figures. `asked` are ranks that the user gave, or none.
void recommend(Choice& choice, bool ranks_given);

}  // namespace polyad
