#pragma once
// Numbers as compact text inside a report: little-endian 32-bit, base64. A third of the size of decimal digits, read at
// once; seven digits are more than any picture shows.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace polyad {

std::string base64(std::string_view bytes);
/// As floats; what is not finite becomes NaN, which a viewer leaves out.
std::string packed_floats(std::span<const double> values);
std::string packed_indices(std::span<const std::uint32_t> indices);

}  // namespace polyad
