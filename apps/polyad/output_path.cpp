#include "polyad/output_path.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace polyad::cli {

std::string unused_model_path(const std::string& data_path) {
  std::filesystem::path name = std::filesystem::path(data_path).filename();
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  const std::string stem = name.stem().string();
  std::string path = stem + "-model.h5";
  for (int n = 2; std::filesystem::exists(path); ++n) path = fmt::format("{}-model-{}.h5", stem, n);
  return path;
}

}  // namespace polyad::cli
