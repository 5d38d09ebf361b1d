#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/tensor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace polyad {
namespace {

bool holds_zero_byte(const std::string& text) {
  return text.find('\0') != std::string::npos;
}

}  // namespace

std::string Labels::mode_name(std::size_t k) const {
  return k < modes_.size() && !modes_[k].name.empty() ? modes_[k].name : fmt::format("mode {}", k + 1);
}

std::string Labels::entry(std::size_t k, std::size_t index) const {
  return k < modes_.size() && index < modes_[k].entries.size() ? modes_[k].entries[index]
                                                               : fmt::format("{}", index + 1);
}

std::size_t Labels::find_mode(std::string_view name_or_number) const {
  const auto named = [&](const ModeLabels& mode) { return mode.name == name_or_number && !mode.name.empty(); };
  const auto found = std::find_if(modes_.begin(), modes_.end(), named);
  if (found != modes_.end()) {
    if (std::any_of(found + 1, modes_.end(), named)) {
      fail(ErrorKind::usage, "several modes are named '{}': give the mode's number, counted from 1", name_or_number);
    }
    return static_cast<std::size_t>(found - modes_.begin());
  }
  std::size_t number = 0;
  const char* const end = name_or_number.data() + name_or_number.size();
  const auto [stop, error] = std::from_chars(name_or_number.data(), end, number);
  if (error == std::errc{} && stop == end && number >= 1 && number <= modes_.size()) return number - 1;

  std::vector<std::string> known;
  for (std::size_t k = 0; k < modes_.size(); ++k) {
    known.push_back(modes_[k].name.empty() ? fmt::format("{}", k + 1) : fmt::format("{} ({})", k + 1, modes_[k].name));
  }
  fail(ErrorKind::usage, "no mode '{}': the modes are {}", name_or_number, joined(known, ", "));
}

void Labels::check(const IndexSpace& space) const {
  if (modes_.size() != space.modes()) {
    fail(ErrorKind::data, "labels are for {} modes but the tensor has {} ({})", modes_.size(), space.modes(),
         space.to_string());
  }
  for (std::size_t k = 0; k < modes_.size(); ++k) {
    const std::size_t given = modes_[k].entries.size();
    if (given != 0 && given != space.extent(k)) {
      fail(ErrorKind::data, "labels of mode {}{}: {} given but the mode has {} indices; give exactly one per index",
           k + 1, modes_[k].name.empty() ? "" : fmt::format(" ({})", modes_[k].name), given, space.extent(k));
    }
    if (holds_zero_byte(modes_[k].name)) {
      fail(ErrorKind::data, "the name of mode {} holds a zero byte, which most formats cannot keep", k + 1);
    }
    const auto bad = std::find_if(modes_[k].entries.begin(), modes_[k].entries.end(), holds_zero_byte);
    if (bad != modes_[k].entries.end()) {
      fail(ErrorKind::data,
           "label {} of mode {} holds a zero byte: most formats would cut it there, and labels would become equal",
           bad - modes_[k].entries.begin() + 1, k + 1);
    }
  }
}

}  // namespace polyad
