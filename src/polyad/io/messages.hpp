#pragma once
// What readers say to people: errors that name the file, the line and the field, and remarks on what they found and decided.
// Formats of fail_at() and remark() may name options in backquotes, as those of fail() do: "use `shape`", "say `base 0`".

#include <polyad/base/error.hpp>
#include <polyad/io/open.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace polyad {

/// Runs `body`; an Error whose message lacks the file's name is thrown on with it: layers below know nothing of files.
template <class Body>
decltype(auto) in_file(const std::string& path, Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    const std::string& message = error.text();
    if (message.find(path) != std::string::npos) throw;
    throw Error(error.kind(), fmt::format("'{}': {}", path, message));
  }
}

/// What fail_at() does, compiled once.
[[noreturn]] void fail_at_formatted(const std::string& path, std::uint64_t line, fmt::string_view format,
                                    fmt::format_args args);

/// Throws a data error "path:line: message".
template <class... Args>
[[noreturn]] void fail_at(const std::string& path, std::uint64_t line, fmt::format_string<Args...> format,
                          Args&&... args) {
  fail_at_formatted(path, line, format, fmt::make_format_args(args...));
}

/// A piece of a file as it may appear in a message: at most 40 bytes, no control characters, valid UTF-8.
std::string excerpt(std::string_view text);

template <class... Args>
void remark(Remarks* remarks, fmt::format_string<Args...> format, Args&&... args) {
  if (remarks == nullptr) return;
  const fmt::string_view text = format;
  remarks->push_back(fmt::vformat(mark_options({text.data(), text.size()}), fmt::make_format_args(args...)));
}

}  // namespace polyad
