#include <polyad/version.hpp>

#include "polyad/command.hpp"
#include "polyad/help_formatter.hpp"
#include "polyad/interrupt.hpp"

#include <polyad/base/suggest.hpp>
#include <polyad/report/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <vector>

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

// The command that the words chose so far: polyad, polyad fit, polyad make city.
const CLI::App& innermost_command(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return *at;
}

std::string full_name(const CLI::App& command) {
  return command.get_parent() == nullptr ? command.get_name()
                                         : full_name(*command.get_parent()) + " " + command.get_name();
}

// What is wrong with the words, in one line. The parser's own messages do not name an unknown command and suggest nothing.
std::string explain(const CLI::ParseError& error, const CLI::App& command) {
  const std::vector<std::string> unknown = command.remaining();
  if (unknown.empty()) return error.what();
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(below->get_name());
  }
  const bool wants_command = command.get_require_subcommand_min() > 0;
  // Where an option is mistyped, its value is left over too: name the option.
  const auto option = std::ranges::find_if(unknown, [](const std::string& word) { return word.starts_with("-"); });
  const std::string& word = wants_command || option == unknown.end() ? unknown.front() : *option;
  const char* what = word.starts_with("-") ? "option" : wants_command ? "command" : "argument";
  return fmt::format("unknown {} '{}'{}", what, word,
                     did_you_mean(word, std::vector<std::string_view>(known.begin(), known.end())));
}

int run(int argc, char** argv) {
  watch_files();
  command_line() = "polyad";
  for (int i = 1; i < argc; ++i) command_line() += fmt::format(" {}", shell_word(argv[i]));
  CLI::App app{
      "polyad finds patterns in multi-way data: it approximates a tensor by a sum of a few\n"
      "components, by stochastic gradients, for the loss that suits the data.\n\n"
      "  polyad make city -o city.h5                        make a labelled demo tensor\n"
      "  polyad fit city.h5 --rank 6 --loss poisson         fit it\n"
      "  polyad show city-model.h5                          read the patterns\n"
      "  polyad report city-model.h5 -o report.html         look at them",
      "polyad"};
  app.formatter(std::make_shared<HelpFormatter>());  // subcommands inherit it
  app.set_version_flag("--version", std::string("polyad ") + std::string(version));
  app.require_subcommand(1);
  app.footer(
      "'polyad COMMAND --help' explains a command.\n"
      "Exit codes: 0 done, 2 usage, 3 bad data, 4 no finite model, 5 file trouble, 130 interrupted.");

  Action action;
  add_fit(app, action);
  add_show(app, action);
  add_report(app, action);
  add_import(app, action);
  add_info(app, action);
  add_check(app, action);
  add_convert(app, action);
  add_score(app, action);
  add_losses(app, action);
  add_bench(app, action);
  add_make(app, action);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(e);
    const CLI::App& innermost = innermost_command(app);
    fmt::print(stderr, "polyad: {}\nSee '{} --help'\n", explain(e, innermost), full_name(innermost));
    return exit_usage;
  }
  return action();
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
    fmt::print(stderr, "polyad: {}\n", e.what());
    return polyad::cli::exit_code(e.kind());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "polyad: not enough memory for this; try a lower rank, fewer starts or fewer threads\n");
    return polyad::cli::exit_data;
  } catch (const std::system_error& e) {  // from printing
    fmt::print(stderr, "polyad: {}\n", e.what());
    return polyad::cli::exit_file;
  } catch (const std::exception& e) {
    fmt::print(stderr, "polyad: {}\n", e.what());
    return 1;
  }
}
