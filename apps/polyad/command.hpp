#pragma once
// What every subcommand shares: it adds itself to the parser and runs when chosen. Results go to standard output,
// everything else (remarks, progress, errors) to standard error.

#include <CLI/CLI.hpp>

#include <polyad/base/error.hpp>

#include <functional>
#include <string>

namespace polyad::cli {

inline constexpr int exit_done = 0;
inline constexpr int exit_usage = 2;
inline constexpr int exit_data = 3;
inline constexpr int exit_diverged = 4;
inline constexpr int exit_file = 5;
inline constexpr int exit_interrupted = 130;

int exit_code(ErrorKind kind);

/// What was typed, quoted for a shell, to be kept with results.
std::string& command_line();

/// Set by the chosen subcommand; main runs it after parsing and returns its exit code.
using Action = std::function<int()>;

void add_fit(CLI::App& app, Action& action);
void add_make(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_convert(CLI::App& app, Action& action);
void add_import(CLI::App& app, Action& action);
void add_show(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_score(CLI::App& app, Action& action);
void add_losses(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);

}  // namespace polyad::cli
