#pragma once
// The JSON type, by name only: for headers that pass it on. Sources that look inside include json_fields.hpp or
// json_value.hpp, which costs seconds of compile time.

#include <nlohmann/json_fwd.hpp>

namespace polyad {

using Json = nlohmann::ordered_json;

}  // namespace polyad
