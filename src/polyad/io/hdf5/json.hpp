#pragma once
// JSON in the attribute `json` of a group.

#include <polyad/base/json_value.hpp>
#include <polyad/io/hdf5/reader.hpp>

#include <string>

namespace polyad {

/// An empty object where the group is missing; a data error where the attribute is not a JSON object or is nested more than
/// 64 deep, which would overflow the stack of whoever walks it.
Json read_json_attribute(const Hdf5Reader& file, const std::string& group);

}  // namespace polyad
