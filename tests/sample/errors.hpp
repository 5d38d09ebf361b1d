#pragma once
// The message of the error that something throws.

#include <polyad/base/error.hpp>

#include <string>

namespace polyad::test {

template <class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

}  // namespace polyad::test
