#pragma once
// A start for a larger rank: the components of a smaller model, and new ones.

#include <polyad/model.hpp>

#include <cstdint>

namespace polyad {

/// `smaller` with random components added up to `rank`. In every mode their entries are about half as large as those that are there;
/// of either sign where `lower` is below 0. New components thus explain little at first, and which way they grow is up to the data.
KTensor with_more_components(const KTensor& smaller, std::uint64_t rank, double lower, std::uint64_t seed);

}  // namespace polyad
