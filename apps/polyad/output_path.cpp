#include "polyad/output_path.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace polyad::cli {

std::string unused_model_path(const std::string& data_path) {
  return unused_path(data_path, "-model.h5");
}

std::string unused_path(const std::string& data_path, const std::string& ending) {
  std::filesystem::path name = std::filesystem::path(data_path).filename();
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  const std::string stem = name.stem().string();
  const std::size_t dot = ending.rfind('.');
  std::string path = stem + ending;
  for (int n = 2; std::filesystem::exists(path); ++n) {
    path = fmt::format("{}{}-{}{}", stem, ending.substr(0, dot), n, ending.substr(dot));
  }
  return path;
}

}  // namespace polyad::cli
