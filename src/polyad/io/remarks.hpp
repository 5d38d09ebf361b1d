#pragma once
// What readers tell people about what they found and did. Formats may name options in backquotes, as those of fail() do.

#include <polyad/base/error.hpp>
#include <polyad/io/open.hpp>

#include <fmt/format.h>

namespace polyad {

template <class... Args>
void remark(Remarks* remarks, fmt::format_string<Args...> format, Args&&... args) {
  if (remarks == nullptr) return;
  const fmt::string_view text = format;
  remarks->push_back(fmt::vformat(mark_options({text.data(), text.size()}), fmt::make_format_args(args...)));
}

/// Duplicates summed, zeros dropped and so on, each only where it happened.
void remark_on_build(Remarks* remarks, const BuildReport& report);

}  // namespace polyad
