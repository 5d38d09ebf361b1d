#pragma once
// Names of the modes and of the indices within them, kept from the input file to every table and picture.

#include <polyad/tensor/index_space.hpp>

#include <string>
#include <vector>

namespace polyad {

struct ModeLabels {
  std::string name;                  ///< empty: the mode has only its number
  std::vector<std::string> entries;  ///< one an index, or empty: the indices have only their numbers

  friend bool operator==(const ModeLabels&, const ModeLabels&) = default;
};

class Labels {
 public:
  Labels() = default;
  explicit Labels(std::size_t modes) : modes_(modes) {}
  explicit Labels(std::vector<ModeLabels> modes) : modes_(std::move(modes)) {}

  std::size_t modes() const { return modes_.size(); }
  const ModeLabels& mode(std::size_t k) const { return modes_[k]; }
  ModeLabels& mode(std::size_t k) { return modes_[k]; }

  /// The mode's name, or "mode 3" (modes are numbered from 1 for people).
  std::string mode_name(std::size_t k) const;
  /// The label of an index, or its number counted from 1.
  std::string entry(std::size_t k, std::size_t index) const;
  /// Finds a mode by its name or its number counted from 1; a usage error lists the modes there are.
  std::size_t find_mode(std::string_view name_or_number) const;
  /// Throws a data error where a mode has labels but not exactly one per index, or one of them holds a zero byte.
  void check(const IndexSpace& space) const;

  /// How the tensor was made of a table, as JSON of the import's options (io/table/table_import.hpp); empty: it was not.
  /// Kept with the labels from the tensor to the model, so that new tables can be read the same way. Labels compare without it.
  const std::string& import_options() const { return import_options_; }
  void set_import_options(std::string json) { import_options_ = std::move(json); }

  friend bool operator==(const Labels& a, const Labels& b) { return a.modes_ == b.modes_; }

 private:
  std::vector<ModeLabels> modes_;
  std::string import_options_;
};

}  // namespace polyad
