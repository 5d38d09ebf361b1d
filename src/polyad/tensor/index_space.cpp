#include <polyad/base/error.hpp>
#include <polyad/base/joined.hpp>
#include <polyad/cells.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

namespace polyad {

namespace {

// Empty where the extents are fine. One text for both callers, which differ in whose fault it is.
std::string broken_rule(std::span<const std::uint64_t> extents) {
  if (extents.empty() || extents.size() > max_modes) {
    return fmt::format("a tensor has 1 to {} modes, this shape has {}", max_modes, extents.size());
  }
  for (std::size_t k = 0; k < extents.size(); ++k) {
    if (extents[k] < 1 || extents[k] > max_extent) {
      return fmt::format("mode {} has extent {}: it must be from 1 to {}", k + 1, extents[k], max_extent);
    }
  }
  return {};
}

}  // namespace

IndexSpace::IndexSpace(std::vector<std::uint64_t> extents) : extents_(std::move(extents)) {
  if (const std::string broken = broken_rule(extents_); !broken.empty()) fail(ErrorKind::data, "shape: {}", broken);
  for (const std::uint64_t n : extents_) {
    cells_ *= static_cast<double>(n);
    log2_cells_ += std::log2(static_cast<double>(n));
    std::uint64_t product = 0;
    if (exact_cells_ && !__builtin_mul_overflow(*exact_cells_, n, &product)) {
      exact_cells_ = product;
    } else {
      exact_cells_.reset();
    }
  }
  if (exact_cells_) cells_ = static_cast<double>(*exact_cells_);
}

std::uint64_t IndexSpace::sum_of_extents() const {
  return std::accumulate(extents_.begin(), extents_.end(), std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) {
    return a + std::min(b, std::numeric_limits<std::uint64_t>::max() - a);
  });
}

bool IndexSpace::contains(std::span<const Index> index) const {
  if (index.size() != extents_.size()) return false;
  for (std::size_t k = 0; k < index.size(); ++k) {
    if (index[k] >= extents_[k]) return false;
  }
  return true;
}

std::string IndexSpace::to_string() const {
  return joined(extents_, " x ");
}

std::string cell_text(std::span<const Index> index) {
  std::vector<std::uint64_t> from_one(index.begin(), index.end());
  for (auto& i : from_one) ++i;
  return fmt::format("({})", joined(from_one, ", "));
}

IndexSpace parse_shape(std::string_view text) {
  constexpr const char* hint = "write it as 200x150x100";
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  const auto skip_spaces = [&](const char* at, const char* end) { return std::find_if_not(at, end, is_space); };

  std::vector<std::uint64_t> extents;
  const char* const end = text.data() + text.size();
  const char* at = skip_spaces(text.data(), end);
  if (at == end) fail(ErrorKind::usage, "shape: it is empty; {}", hint);
  while (true) {
    std::uint64_t extent = 0;
    const auto [stop, error] = std::from_chars(at, end, extent);
    if (error == std::errc::result_out_of_range) {
      fail(ErrorKind::usage, "shape '{}': mode {} is far too large: an extent must be from 1 to {}", text,
           extents.size() + 1, max_extent);
    }
    if (error != std::errc{}) {
      fail(ErrorKind::usage, "shape '{}': expected a whole number for mode {}; {}", text, extents.size() + 1, hint);
    }
    extents.push_back(extent);
    const char* separator = skip_spaces(stop, end);
    if (separator == end) break;
    const bool sign = *separator == 'x' || *separator == 'X' || *separator == ',';
    at = sign ? skip_spaces(separator + 1, end) : separator;
    if (at == stop) {
      fail(ErrorKind::usage, "shape '{}': '{}' does not separate extents; {}", text, *stop, hint);
    }
  }
  if (const std::string broken = broken_rule(extents); !broken.empty()) {
    fail(ErrorKind::usage, "shape '{}': {}", text, broken);
  }
  return IndexSpace(std::move(extents));
}

}  // namespace polyad
