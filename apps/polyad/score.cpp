// polyad score A B: how alike two models are.

#include "polyad/command.hpp"
#include "polyad/print.hpp"

#include <polyad/base/json_value.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/model.hpp>
#include <polyad/model/compare.hpp>
#include <polyad/model/shared_labels.hpp>
#include <polyad/report.hpp>

#include <fmt/format.h>

#include <memory>

namespace polyad::cli {

namespace {

struct ScoreArguments {
  std::string reference;
  std::string other;
  bool json = false;
};

std::string component_text(std::size_t position, const std::vector<std::string>& names) {
  if (position == Score::npos) return "none";
  return position < names.size() ? fmt::format("{} ({})", position + 1, names[position]) : std::to_string(position + 1);
}

// A planted model is recovered or not; two fits are only more or less alike.
std::string judgement(const ModelFile& reference, double score) {
  const bool enough = score >= alike;
  if (!reference.summary->json.contains("problem")) return enough ? "alike" : "not alike";
  return enough ? "the planted components are recovered" : "the planted components are not recovered";
}

int run(const ScoreArguments& arguments) {
  const ModelFile a = read_model(arguments.reference);
  const ModelFile b = read_model(arguments.other);
  const SharedModels shared = shared_models(a.model, {a.labels, a.model.factors.extents(), "the first model"}, b.model,
                                            {b.labels, b.model.factors.extents(), "the second model"});
  if (!arguments.json) {
    for (const std::string& remark : shared.remarks) print_err("  {}\n", remark);
  }
  const Score result = score(shared.a, shared.b);
  if (arguments.json) {
    print_as_json(to_json(result));
    return exit_done;
  }
  print_out("score {:.4f}: {} (1 is the same up to order and scale; the limit is {})\n", result.value,
            judgement(a, result.value), alike);
  const std::vector<std::string> a_names = component_names(a), b_names = component_names(b);
  for (std::size_t j = 0; j < result.match.size(); ++j) {
    print_out("  {:.4f}  {} ~ {}\n", result.cosines[j], component_text(j, a_names),
              component_text(result.match[j], b_names));
  }
  return exit_done;
}

}  // namespace

void add_score(Command& app) {
  Command command = app.add_subcommand(
      "score", "Say how alike two models are: components matched one to one, cosines multiplied over modes");
  auto arguments = std::make_shared<ScoreArguments>();
  command.add_option("REFERENCE", arguments->reference, "model file, for example the planted truth").required();
  command.add_option("MODEL", arguments->other, "model file to compare with it").required();
  command.add_flag("--json", arguments->json, "machine-readable output");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
