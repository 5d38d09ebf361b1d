#pragma once
// A static picture of a model: a row a component, a column a mode, each mode drawn as what it is (dates and long modes as
// lines, hours and short modes as bars, names as labelled bars). Self-contained SVG without scripts; all text is escaped.
// Size: a few kilobytes a panel, however long the mode (lines keep their peaks when thinned).

#include <polyad/model.hpp>
#include <polyad/report/regions.hpp>
#include <polyad/tensor.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace polyad {

struct SvgOptions {
  double width = 1200;                  ///< at least what the columns need
  std::size_t top = 10;                 ///< entries shown of a mode with many names
  std::size_t components = 0;           ///< how many, largest first; 0: all
  std::string title = {};               ///< above the grid; empty: none
  std::vector<RegionMap> maps = {};     ///< of modes to draw as maps
  std::vector<std::string> names = {};  ///< of the components of `model`, in its order; empty: only numbers
};

/// `model` need not be normalised or sorted. Labels may be empty; where given they must fit (data error).
std::string components_svg(const KTensor& model, const Labels& labels, const SvgOptions& options = {});

}  // namespace polyad
