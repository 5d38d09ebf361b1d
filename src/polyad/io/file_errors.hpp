#pragma once
// Errors from layers that know nothing of files get the file's name on their way out.

#include <polyad/base/error.hpp>

#include <string>
#include <string_view>

namespace polyad {

/// Runs `body`; an Error whose message lacks the file's name is thrown on with it.
template <class Body>
decltype(auto) in_file(const std::string& path, Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.find(path) != std::string::npos) throw;
    throw Error(error.kind(), fmt::format("'{}': {}", path, message));
  }
}

}  // namespace polyad
