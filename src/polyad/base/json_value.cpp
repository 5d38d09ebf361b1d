#include <polyad/base/json_value.hpp>

template class nlohmann::basic_json<nlohmann::ordered_map>;
