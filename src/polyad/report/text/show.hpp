#pragma once
// A model in words: for each component its weight and, for each mode, the entries that carry it. For terminals, and as
// JSON and CSV for programs.

#include <polyad/base/fields.hpp>
#include <polyad/model.hpp>
#include <polyad/tensor.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace polyad {

struct ShowOptions {
  std::uint64_t top = 5;
  std::optional<std::uint64_t> component = {};
  std::uint64_t width = 80;
  bool color = false;
  bool ascii = false;
  bool raw = false;                     ///< CSV: labels as they are, also those that a spreadsheet takes for formulas
  std::vector<std::string> names = {};  ///< of the components of the model, in its order; empty: only numbers

  static auto fields() {
    using O = ShowOptions;
    return std::tuple{
        field("top", &O::top, "entries to show a mode", at_least(1)),
        field("component", &O::component, "only this component (1 is the largest); auto: all", at_least(1)),
        field("width", &O::width, "columns to fill", within(40, 400)),
        field("color", &O::color, "colours"),
        field("ascii", &O::ascii, "plain ASCII instead of block characters"),
    };
  }
};

/// Components largest first. `model` need not be normalised or sorted; labels may be empty. No line is wider than
/// `width`. A usage error where `component` is beyond the rank.
std::string show_text(const KTensor& model, const Labels& labels, const ShowOptions& options = {});
/// {"rank", "shape", "modes", "nonnegative", "components": [{"component", "name", "weight", "share",
/// "modes": [{"name", "top": [{"index", "label", "value"}]}]}]}; indices count from 1.
std::string show_json(const KTensor& model, const Labels& labels, const ShowOptions& options = {});
/// All entries, one a line: component,weight,mode,index,label,value; indices count from 1.
std::string show_csv(const KTensor& model, const Labels& labels, const ShowOptions& options = {});

}  // namespace polyad
