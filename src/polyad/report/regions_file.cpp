#include <polyad/base/error.hpp>
#include <polyad/io/input_file.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/report/regions.hpp>

#include <array>
#include <filesystem>

namespace polyad {

namespace {

std::string whole_file(const std::string& path) {
  InputFile file(path);
  std::string text;
  std::array<char, 1 << 16> block;
  for (std::size_t got; (got = file.read(block.data(), block.size())) > 0;) text.append(block.data(), got);
  return text;
}

}  // namespace

RegionMap read_regions(const std::string& argument, const Labels& labels, const std::vector<std::uint64_t>& extents) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == argument.size()) {
    fail(ErrorKind::usage, "'{}' is not of the form MODE=FILE or MODE=FILE:PROPERTY", argument);
  }
  const Labels known = labels.modes() == extents.size() ? labels : Labels(extents.size());
  const std::size_t mode = known.find_mode(argument.substr(0, equals));
  std::string path = argument.substr(equals + 1), property;
  const std::size_t colon = path.rfind(':');
  if (colon != std::string::npos && !std::filesystem::exists(path)) {
    property = path.substr(colon + 1);
    path.resize(colon);
  }
  const std::string text = whole_file(path);
  return in_file(path, [&] { return regions_of(text, property, known, mode, extents[mode]); });
}

}  // namespace polyad
