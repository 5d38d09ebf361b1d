#pragma once
// "Did you mean ...?" for mistyped names.

#include <span>
#include <string>
#include <string_view>

namespace polyad {

/// The candidate nearest to `word` by edit distance, or an empty string where none is near enough to be meant.
std::string nearest(std::string_view word, std::span<const std::string_view> candidates);

/// " (did you mean 'poisson'?)" or nothing: ready to be appended to an error message.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace polyad
