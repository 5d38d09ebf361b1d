#pragma once
// Errors from layers that know nothing of files get the file's name on their way out.

#include <polyad/base/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace polyad {

/// Runs `body`; an Error whose message lacks the file's name is thrown on with it.
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

}  // namespace polyad
