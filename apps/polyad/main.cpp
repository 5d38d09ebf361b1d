#include <polyad/version.hpp>

#include "polyad/command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>

namespace polyad::cli {

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage: return exit_usage;
    case ErrorKind::data: return exit_data;
    case ErrorKind::diverged: return exit_diverged;
    case ErrorKind::file: return exit_file;
  }
  return 1;
}

namespace {

int run(int argc, char** argv) {
  CLI::App app{
      "polyad finds patterns in multi-way data: it approximates a tensor by a sum of a few\n"
      "components, by stochastic gradients, for the loss that suits the data.\n\n"
      "  polyad make city -o city.h5                        make a labelled demo tensor\n"
      "  polyad fit city.h5 --rank 6 --loss poisson         fit it\n"
      "  polyad show city-model.h5                          read the patterns\n"
      "  polyad report city-model.h5 -o components.svg      see them",
      "polyad"};
  app.set_version_flag("--version", std::string("polyad ") + std::string(version));
  app.require_subcommand(1);
  app.footer(
      "'polyad COMMAND --help' explains a command.\n"
      "Exit codes: 0 done, 2 usage, 3 bad data, 4 no finite model, 5 file trouble, 130 interrupted.");

  Action action;
  add_fit(app, action);
  add_show(app, action);
  add_report(app, action);
  add_info(app, action);
  add_score(app, action);
  add_losses(app, action);
  add_make(app, action);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(e);
    fmt::print(stderr, "polyad: {}\n", e.what());
    for (const CLI::App* chosen : app.get_subcommands()) {
      fmt::print(stderr, "See 'polyad {} --help'\n", chosen->get_name());
      return exit_usage;
    }
    fmt::print(stderr, "See 'polyad --help'\n");
    return exit_usage;
  }
  return action();
}

}  // namespace
}  // namespace polyad::cli

int main(int argc, char** argv) {
  try {
    return polyad::cli::run(argc, argv);
  } catch (const polyad::Error& e) {
    fmt::print(stderr, "polyad: {}\n", e.what());
    return polyad::cli::exit_code(e.kind());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "polyad: not enough memory for this; try a lower rank, fewer starts or fewer threads\n");
    return polyad::cli::exit_data;
  } catch (const std::exception& e) {
    fmt::print(stderr, "polyad: {}\n", e.what());
    return 1;
  }
}
