#include "polyad/parser.hpp"
#include "polyad/print.hpp"

#include "polyad/command.hpp"
#include "polyad/parser_help.hpp"

#include <CLI/CLI.hpp>

#include <polyad/base/fields.hpp>
#include <polyad/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <utility>

namespace polyad::cli {

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option& Option::group(const std::string& heading) {
  option_->group(heading);
  return *this;
}

Option& Option::default_str(const std::string& text) {
  option_->default_str(text);
  return *this;
}

Option& Option::capture_default_str() {
  option_->capture_default_str();
  return *this;
}

namespace {

template <class T>
void check_range(CLI::Option& option, T least, T most, std::string_view kind) {
  option.check([least, most, kind](const std::string& text) -> std::string {
    T value{};
    const std::errc error = polyad::detail::read_number(text, value);
    if (error == std::errc() && least <= value && value <= most) return "";
    return fmt::format("'{}' is not a {} from {} to {}", text, kind, least, most);
  });
}

}  // namespace

Option& Option::range(double least, double most) {
  check_range(*option_, least, most, "number");
  return *this;
}

Option& Option::range(int least, int most) {
  check_range(*option_, least, most, "whole number");
  return *this;
}

Option& Option::one_of(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words).description(""));
  return *this;
}

Option& Option::repeatable() {
  option_->expected(1)->take_all();
  return *this;
}

Option& Option::comma_separated() {
  option_->delimiter(',');
  return repeatable();
}

Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Command Command::add_subcommand(const std::string& name, const std::string& help) {
  return {app_->add_subcommand(name, help), chosen_};
}

void Command::require_subcommand() {
  app_->require_subcommand(1);
}

Option Command::add_option(const std::string& names, std::string& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, std::vector<std::string>& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, double& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, std::uint64_t& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, std::vector<std::uint64_t>& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, std::optional<int>& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, std::optional<double>& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, std::optional<std::uint64_t>& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

Option Command::add_option_function(const std::string& names, const std::function<void(const std::string&)>& take,
                                    const std::string& help) {
  return Option(app_->add_option_function<std::string>(names, take, help));
}

Option Command::add_flag(const std::string& names, bool& value, const std::string& help) {
  return Option(app_->add_flag(names, value, help));
}

void Command::footer(const std::string& text) {
  app_->footer(text);
}

void Command::runs(Action action) {
  app_->callback([chosen = chosen_, action = std::move(action)] { *chosen = action; });
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

}  // namespace

CommandLine::CommandLine(const std::string& name, const std::string& about, const std::string& version)
    : app_(std::make_unique<CLI::App>(about, name)) {
  app_->formatter(std::make_shared<ParserHelp>());  // subcommands inherit it
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::top() {
  return {app_.get(), &chosen_};
}

int CommandLine::run(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app_->exit(e);
    const CLI::App& innermost = innermost_command(*app_);
    print_err("{}: {}\nSee '{} --help'\n", app_->get_name(), explain(e, innermost), full_name(innermost));
    return exit_usage;
  }
  return chosen_();
}

}  // namespace polyad::cli
