// polyad score A B: how alike two models are.

#include "polyad/command.hpp"
#include "polyad/print.hpp"

#include <polyad/base/json_fields.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/model.hpp>
#include <polyad/model/shared_labels.hpp>
#include <polyad/report.hpp>
#include <polyad/report/text/readable.hpp>

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

// A model's components under the numbers that show and report give them.
class Numbered {
 public:
  explicit Numbered(const ModelFile& file)
      : original_(readable(file.model).original), number_(original_.size()), names_(component_names(file)) {
    for (std::size_t i = 0; i < original_.size(); ++i) number_[original_[i]] = i + 1;
  }

  /// Positions within the file, in the order of the numbers.
  const std::vector<std::size_t>& in_order() const { return original_; }
  std::size_t number(std::size_t position) const { return number_[position]; }
  std::string name(std::size_t position) const {
    if (position == Score::npos) return "none";
    return names_.empty() ? std::to_string(number(position))
                          : fmt::format("{} ({})", number(position), names_[position]);
  }

 private:
  std::vector<std::size_t> original_;
  std::vector<std::size_t> number_;
  std::vector<std::string> names_;
};

int run(const ScoreArguments& arguments) {
  const ModelFile a = read_model(arguments.reference);
  const ModelFile b = read_model(arguments.other);
  const SharedModels shared = shared_models(a.model, {a.labels, a.model.factors.extents(), "the first model"}, b.model,
                                            {b.labels, b.model.factors.extents(), "the second model"});
  if (!arguments.json) {
    for (const std::string& remark : shared.remarks) print_err("  {}\n", remark);
  }
  const Score result = score(shared.a, shared.b);
  const Numbered a_numbered(a);
  const Numbered b_numbered(b);
  if (arguments.json) {
    Json out;
    out["score"] = result.value;
    for (const std::size_t j : a_numbered.in_order()) {
      const std::size_t match = result.match[j];
      out["components"].push_back({{"reference", a_numbered.number(j)},
                                   {"other", match == Score::npos ? Json(nullptr) : Json(b_numbered.number(match))},
                                   {"cosine", result.cosines[j]}});
    }
    print_as_json(out);
    return exit_done;
  }
  print_out("score {:.4f}  ({}; 1 is a perfect match, at least {} counts as recovered)\n", result.value,
            result.value >= recovered ? "recovered" : "not recovered", recovered);
  for (const std::size_t j : a_numbered.in_order()) {
    print_out("  {:.4f}  {} ~ {}\n", result.cosines[j], a_numbered.name(j), b_numbered.name(result.match[j]));
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
