#pragma once
// The JSON type with all its members, which are compiled once, in json_value.cpp, instead of in every source that uses them.
// Headers that only pass it on include json.hpp.

#include <polyad/base/json.hpp>

#include <nlohmann/json.hpp>

extern template class nlohmann::basic_json<nlohmann::ordered_map>;
