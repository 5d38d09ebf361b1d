#pragma once
// The golden rows of losses, with the loss each of them is for.

#include <polyad/base/json_value.hpp>
#include <polyad/loss.hpp>

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <vector>

namespace polyad::testing {

struct GoldenRow {
  std::string loss;  ///< name alone
  std::string spec;  ///< with the parameter of the row
  double x, m, f, df;
};

inline std::vector<GoldenRow> golden_rows() {
  std::ifstream file(POLYAD_GOLDEN_DIR "/golden_elementwise.json");
  std::vector<GoldenRow> rows;
  for (const auto& row : nlohmann::json::parse(file)) {
    GoldenRow golden{row.at("loss"), row.at("loss"), row.at("x"), row.at("m"), row.at("f"), row.at("df")};
    if (!row.at("param").is_null()) {
      // Golden rows give one number; it is the loss's one parameter.
      const std::string parameter = parse_loss(golden.loss).parameters().at(0).first;
      golden.spec = fmt::format("{}:{}={}", golden.loss, parameter, row.at("param").get<double>());
    }
    rows.push_back(golden);
  }
  return rows;
}

}  // namespace polyad::testing
