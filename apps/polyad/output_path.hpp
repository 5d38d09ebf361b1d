#pragma once
// Where results go by default.

#include <string>

namespace polyad::cli {

/// "crime.tns.gz" -> "crime-model.h5" in the current folder, or "crime-model-2.h5", ... where that exists: a file that the
/// user did not name is never overwritten.
std::string unused_model_path(const std::string& data_path);
/// The same with another ending: "august.csv" and "-rows.h5" -> "august-rows.h5".
std::string unused_path(const std::string& data_path, const std::string& ending);

}  // namespace polyad::cli
