// polyad score A B: how alike two models are.

#include "polyad/command.hpp"

#include <polyad/base/json_fields.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/model/score.hpp>
#include <polyad/report/component_names.hpp>

#include <fmt/format.h>

#include <memory>

namespace polyad::cli {

namespace {

struct ScoreArguments {
  std::string reference;
  std::string other;
  bool json = false;
};

constexpr double recovered = 0.9;

std::string component_name(const std::vector<std::string>& names, std::size_t j) {
  return names.empty() ? std::to_string(j + 1) : fmt::format("{} ({})", j + 1, names[j]);
}

int run(const ScoreArguments& arguments) {
  const ModelFile a = read_model(arguments.reference);
  const ModelFile b = read_model(arguments.other);
  const Score result = score(a.model, b.model);
  if (arguments.json) {
    Json out;
    out["score"] = result.value;
    for (std::size_t j = 0; j < a.model.rank(); ++j) {
      out["components"].push_back(
          {{"reference", j + 1},
           {"other", result.match[j] == Score::npos ? Json(nullptr) : Json(result.match[j] + 1)},
           {"cosine", result.cosines[j]}});
    }
    fmt::print("{}\n", out.dump(2));
    return exit_done;
  }
  fmt::print("score {:.4f}  ({}; 1 is a perfect match, at least {} counts as recovered)\n", result.value,
             result.value >= recovered ? "recovered" : "not recovered", recovered);
  const auto a_names = component_names(a);
  const auto b_names = component_names(b);
  for (std::size_t j = 0; j < a.model.rank(); ++j) {
    fmt::print("  {:.4f}  {} ~ {}\n", result.cosines[j], component_name(a_names, j),
               result.match[j] == Score::npos ? "none" : component_name(b_names, result.match[j]));
  }
  return exit_done;
}

}  // namespace

void add_score(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "score", "Tell how alike two models are: components matched one to one, cosines multiplied over modes");
  auto arguments = std::make_shared<ScoreArguments>();
  command->add_option("REFERENCE", arguments->reference, "model file, for example the planted truth")->required();
  command->add_option("MODEL", arguments->other, "model file to compare with it")->required();
  command->add_flag("--json", arguments->json, "machine-readable output");
  command->callback([&action, arguments] { action = [arguments] { return run(*arguments); }; });
}

}  // namespace polyad::cli
