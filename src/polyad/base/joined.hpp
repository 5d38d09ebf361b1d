#pragma once
// Lists in messages: "200 x 150 x 100", "day, hour, area". Compiled once; fmt::join would be compiled wherever it is used.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace polyad {

std::string joined(std::span<const std::uint64_t> numbers, std::string_view between);
std::string joined(std::span<const std::string> words, std::string_view between);
std::string joined(std::span<const std::string_view> words, std::string_view between);

}  // namespace polyad
