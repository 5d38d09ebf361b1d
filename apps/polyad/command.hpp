#pragma once
// What every subcommand shares: it adds itself to the program and runs when chosen. Results go to standard output,
// everything else (remarks, progress, errors) to standard error.

#include "polyad/parser.hpp"

#include <polyad/base/error.hpp>

#include <string>
#include <string_view>

namespace polyad::cli {

inline constexpr int exit_done = 0;
inline constexpr int exit_usage = 2;
inline constexpr int exit_data = 3;
inline constexpr int exit_diverged = 4;
inline constexpr int exit_file = 5;
inline constexpr int exit_unusable = 6;  // a model is written, but it is worse than a constant or zero
inline constexpr int exit_interrupted = 130;

int exit_code(ErrorKind kind);

/// An option as it is typed: "--rank", "--method gcp-full".
std::string flag(std::string_view field, std::string_view value);
/// A text of the library with its option names (polyad/error.hpp) as they are typed.
std::string as_flags(std::string_view text);

/// What was typed, quoted for a shell, to be kept with results.
std::string& command_line();

void add_fit(Command& app);
void add_make(Command& app);
void add_info(Command& app);
void add_check(Command& app);
void add_convert(Command& app);
void add_import(Command& app);
void add_show(Command& app);
void add_select(Command& app);
void add_report(Command& app);
void add_score(Command& app);
void add_evaluate(Command& app);
void add_transform(Command& app);
void add_update(Command& app);
void add_predict(Command& app);
void add_surprise(Command& app);
void add_compare(Command& app);
void add_losses(Command& app);
void add_bench(Command& app);
void add_reference(Command& app);

}  // namespace polyad::cli
