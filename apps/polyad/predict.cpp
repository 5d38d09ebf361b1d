// polyad predict MODEL: what a model expects in cells of a table, in missing cells, or the cells where it expects most.

#include "polyad/command.hpp"
#include "polyad/data_options.hpp"
#include "polyad/field_options.hpp"
#include "polyad/print.hpp"

#include <polyad/apply/predict.hpp>
#include <polyad/base/text.hpp>
#include <polyad/files.hpp>
#include <polyad/io/atomic_file.hpp>

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace polyad::cli {

namespace {

struct PredictArguments {
  std::string model;
  std::string cells;
  PredictOptions options;
  std::string missing;
  std::uint64_t top = 0;
  std::vector<std::string> held;
  std::string seen;
  std::string output;
  bool quiet = false;
};

// One of three things is wanted.
void check(const PredictArguments& arguments) {
  const int wanted =
      (arguments.cells.empty() ? 0 : 1) + (arguments.missing.empty() ? 0 : 1) + (arguments.top > 0 ? 1 : 0);
  if (wanted != 1) {
    fail(ErrorKind::usage, "give one of these: a table of cells, `missing DATA` or `top COUNT`{}",
         wanted == 0 ? "" : ", not several");
  }
  if (arguments.top == 0 && (!arguments.held.empty() || !arguments.seen.empty())) {
    fail(ErrorKind::usage, "`for` and `seen` go with `top`");
  }
  if (!arguments.missing.empty() && arguments.output.empty()) {
    fail(ErrorKind::usage, "`missing` writes a tensor: give `output`");
  }
}

Predictions predictions_of(const Predictor& predictor, const PredictArguments& arguments) {
  const ModelFile& file = predictor.file();
  const ModelSpace space{file.labels, file.model.factors.extents()};
  if (arguments.top == 0) {
    std::uint64_t left_out = 0;
    Records cells = read_table_of_cells(arguments.cells, space, arguments.options.unknown, left_out);
    Predictions out = predictor.predict(std::move(cells));
    out.left_out = left_out;
    return out;
  }
  TopRequest request{.count = arguments.top, .held = arguments.held};
  std::optional<Joined> seen;
  if (!arguments.seen.empty()) {
    OpenedData data = open_new_data(arguments.seen, {}, file.labels, arguments.model);
    JoinOptions join_options;
    join_options.unknown = UnknownLabels::ignore;
    seen = join(space, std::move(data.tensor), NewLabels::nowhere, join_options);
    request.seen = &seen->tensor;
  }
  return top_cells(predictor, request);
}

int run(const PredictArguments& arguments) {
  check(arguments);
  if (!arguments.output.empty()) check_writable(arguments.output);
  const ModelFile file = read_model(arguments.model);
  const Predictor predictor(file, arguments.options);
  if (!arguments.missing.empty()) {
    OpenedData data = open_new_data(arguments.missing, {}, file.labels, arguments.model);
    const Tensor filled = fill_missing(predictor, std::move(data.tensor));
    write_tensor(arguments.output, filled);
    if (!arguments.quiet) print_err("{} written: missing cells are filled in\n", arguments.output);
    return exit_done;
  }
  const Predictions predictions = predictions_of(predictor, arguments);
  if (arguments.output.empty()) {
    print_trusted(stdout, printable_lines(text_of(predictor, predictions)));
  } else {
    write_predictions(arguments.output, predictor, predictions);
  }
  if (arguments.quiet) return exit_done;
  if (!predictor.has_intervals()) print_err("no intervals: {}\n", as_flags(mark_options(predictor.why_no_intervals())));
  if (predictions.left_out > 0) {
    print_err("{} rows have labels that the model does not know and were left out\n",
              format_count(predictions.left_out));
  }
  if (!arguments.output.empty()) {
    print_err("{} written: {} cells\n", arguments.output, format_count(predictions.cells.size()));
  }
  return exit_done;
}

}  // namespace

void add_predict(Command& app) {
  Command command = app.add_subcommand(
      "predict", "What a model expects: in cells of a table, in missing cells, or the cells where it expects most");
  auto arguments = std::make_shared<PredictArguments>();
  command.add_option("MODEL", arguments->model, "model file: polyad .h5, .npz, .mat or Tensor Toolbox text").required();
  command.add_option("CELLS", arguments->cells,
                     "table (.csv) with a column per mode, labels or indices from 1, and value where it is known");
  command.add_option("--missing", arguments->missing, "tensor whose missing cells are filled in; -o has its format")
      .type_name("DATA")
      .group("What");
  command.add_option("--top", arguments->top, "the cells of the largest expected values")
      .type_name("COUNT")
      .group("What");
  command.add_option("--for", arguments->held, "with --top: hold a mode at a label (or an index from 1)")
      .type_name("MODE=LABEL")
      .repeatable()
      .group("What");
  command.add_option("--seen", arguments->seen, "with --top: data whose cells are left out")
      .type_name("DATA")
      .group("What");
  add_fields(command, "Prediction", arguments->options, {{"loss", "l"}});
  command.add_option("-o,--output", arguments->output, "file to write; otherwise the table goes to standard output")
      .type_name("FILE")
      .group("Output");
  command.add_flag("-q,--quiet", arguments->quiet, "print errors only").group("Output");
  command.footer(
      "The table has the modes, value, expected, low, high and residual. Expected is a probability for yes/no, a count "
      "for counts.\n"
      "Examples:\n"
      "  polyad predict model.h5 cells.csv -o out.csv\n"
      "  polyad predict model.h5 --top 10 --for user=12 --seen ratings.h5\n"
      "  polyad predict model.h5 --missing spectra.npy -o filled.npy");
  command.runs([arguments] { return run(*arguments); });
}

}  // namespace polyad::cli
