#include <polyad/io/hdf5/json.hpp>
#include <polyad/io/isolated/pack.hpp>

namespace polyad {

Json read_json_attribute(const Hdf5Reader& file, const std::string& group) {
  if (!file.has(group)) return Json::object();
  auto json = json_object_of(file.text_attribute(group, "json"));
  if (!json) file.damaged(group, "attribute json is not a JSON object, or is nested more than 64 deep");
  return std::move(*json);
}

}  // namespace polyad
