#include <polyad/base/error.hpp>
#include <polyad/version.hpp>

#include "polyad/command.hpp"
#include "polyad/interrupt.hpp"
#include "polyad/print.hpp"

#include <polyad/report/text/text.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <system_error>

namespace polyad::cli {

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return exit_usage;
    case ErrorKind::data:
      return exit_data;
    case ErrorKind::diverged:
      return exit_diverged;
    case ErrorKind::file:
      return exit_file;
  }
  return 1;
}

std::string& command_line() {
  static std::string line;
  return line;
}

namespace {

int run(int argc, char** argv) {
  watch_files();
  command_line() = "polyad";
  for (int i = 1; i < argc; ++i) command_line() += fmt::format(" {}", shell_word(argv[i]));
  CommandLine words("polyad",
                    "polyad finds patterns in multi-way data: it approximates a tensor by a sum of a few\n"
                    "components, by stochastic gradients, for the loss that suits the data.\n\n"
                    "  polyad make city -o city.h5                        make a labelled demo tensor\n"
                    "  polyad fit city.h5 --rank 6 --loss poisson         fit it\n"
                    "  polyad show city-model.h5                          read the patterns\n"
                    "  polyad report city-model.h5 -o report.html         look at them",
                    fmt::format("polyad {}", version));
  Command app = words.top();
  app.footer(
      "'polyad COMMAND --help' explains a command.\n"
      "Exit codes: 0 done, 2 usage, 3 bad data, 4 no finite model, 5 file trouble, 6 a model worse than a constant, "
      "130 interrupted.");

  add_fit(app);
  add_select(app);
  add_show(app);
  add_report(app);
  add_import(app);
  add_info(app);
  add_check(app);
  add_convert(app);
  add_score(app);
  add_evaluate(app);
  add_transform(app);
  add_update(app);
  add_predict(app);
  add_surprise(app);
  add_compare(app);
  add_losses(app);
  add_bench(app);
  add_make(app);
  add_reference(app);

  return words.run(argc, argv);
}

}  // namespace
}  // namespace polyad::cli

int main(int argc, char** argv) {
  try {
    const int code = polyad::cli::run(argc, argv);
    std::cout.flush();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout) {
      polyad::fail(polyad::ErrorKind::file, "cannot write to the standard output: {}", std::strerror(errno));
    }
    return code;
  } catch (const polyad::Error& e) {
    polyad::cli::print_err("polyad: {}\n", polyad::cli::as_flags(e.text()));
    return polyad::cli::exit_code(e.kind());
  } catch (const std::bad_alloc&) {
    polyad::cli::print_err("polyad: not enough memory for this; try a lower rank, fewer starts or fewer threads\n");
    return polyad::cli::exit_data;
  } catch (const std::system_error& e) {  // from printing
    polyad::cli::print_err("polyad: {}\n", e.what());
    return polyad::cli::exit_file;
  } catch (const std::exception& e) {
    polyad::cli::print_err("polyad: {}\n", e.what());
    return 1;
  }
}
