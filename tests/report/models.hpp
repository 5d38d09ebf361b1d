#pragma once
// Models to draw and to put into words.

#include <polyad/model.hpp>
#include <polyad/tensor.hpp>

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace polyad::testing {

/// Nonnegative, a skewed pattern that differs by mode and component.
inline KTensor some_model(std::vector<std::uint64_t> extents, std::size_t rank) {
  Factors f(std::move(extents), rank);
  for (std::size_t k = 0; k < f.modes(); ++k) {
    for (std::size_t i = 0; i < f.rows(k); ++i) {
      for (std::size_t j = 0; j < rank; ++j)
        f.at(k, i, j) = 1.0 / static_cast<double>(1 + (i * 7 + j * 3 + k) % 11) + 0.1 * static_cast<double>(j);
    }
  }
  return KTensor(std::move(f));
}

inline KTensor signed_model(std::vector<std::uint64_t> extents, std::size_t rank) {
  KTensor model = some_model(std::move(extents), rank);
  double phase = 0;
  for (double& v : model.factors.flat()) v *= std::sin(phase += 0.7);
  model.factors.clear_padding();
  return model;
}

inline Labels hostile_labels() {
  Labels labels(3);
  labels.mode(0).name = "</svg><script>alert(1)</script>";
  for (int i = 0; i < 6; ++i) labels.mode(0).entries.push_back(fmt::format("<b id=\"{}\">&'", i));
  labels.mode(1).name = "emoji 🚲 \x1b[31m";
  for (int i = 0; i < 40; ++i)
    labels.mode(1).entries.push_back(fmt::format("漢字 {} \xff very long name of an entry indeed", i));
  labels.mode(2).name = "\"quotes\"";
  return labels;
}

}  // namespace polyad::testing
