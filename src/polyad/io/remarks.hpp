#pragma once
// What readers tell people about what they found and did.

#include <polyad/io/open.hpp>

#include <fmt/format.h>

#include <utility>

namespace polyad {

template <class... Args>
void remark(Remarks* remarks, fmt::format_string<Args...> format, Args&&... args) {
  if (remarks != nullptr) remarks->push_back(fmt::format(format, std::forward<Args>(args)...));
}

/// Duplicates summed, zeros dropped and so on, each only where it happened.
void remark_on_build(Remarks* remarks, const BuildReport& report);

}  // namespace polyad
