#pragma once
// Commands, their options, and the words that were typed. CLI11, which does the work, is all headers and costly to compile:
// only parser.cpp and parser_help.cpp include it.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace polyad::cli {

/// An option of a command. What is said of it can be said in a chain.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& required();
  /// What help writes after its name: FILE, COUNT, 0|1.
  Option& type_name(const std::string& name);
  /// The heading in help.
  Option& group(const std::string& heading);
  /// The default as help tells it: in words, or the value that the variable has now.
  Option& default_str(const std::string& text);
  Option& capture_default_str();
  /// The bounds are allowed; whole ones ask for a whole number.
  Option& range(double least, double most);
  Option& range(int least, int most);
  Option& one_of(const std::vector<std::string>& words);
  /// May be given several times, with one value each.
  Option& repeatable();
  /// Takes several values in one word, as in 1,2,8.
  Option& comma_separated();
  Option& excludes(const Option& other);

 private:
  CLI::Option* option_;
};

/// What a chosen command does, once all words are known; returns the exit code.
using Action = std::function<int()>;

class Command {
 public:
  Command(CLI::App* app, Action* chosen) : app_(app), chosen_(chosen) {}

  Command add_subcommand(const std::string& name, const std::string& help);
  void require_subcommand();

  /// Names as in "-o,--output"; without dashes for an argument by its place. The value is put where `value` is, which must
  /// outlive parsing, or handed to a function, which may throw.
  Option add_option(const std::string& names, std::string& value, const std::string& help);
  Option add_option(const std::string& names, std::vector<std::string>& value, const std::string& help);
  Option add_option(const std::string& names, double& value, const std::string& help);
  Option add_option(const std::string& names, std::uint64_t& value, const std::string& help);
  Option add_option(const std::string& names, std::vector<std::uint64_t>& value, const std::string& help);
  Option add_option(const std::string& names, std::optional<int>& value, const std::string& help);
  Option add_option(const std::string& names, std::optional<double>& value, const std::string& help);
  Option add_option(const std::string& names, std::optional<std::uint64_t>& value, const std::string& help);
  Option add_option_function(const std::string& names, const std::function<void(const std::string&)>& take,
                             const std::string& help);
  Option add_flag(const std::string& names, bool& value, const std::string& help);

  /// What help says at the end.
  void footer(const std::string& text);
  /// What is done where this command is chosen.
  void runs(Action action);

 private:
  CLI::App* app_;
  Action* chosen_;
};

/// A program of commands: add them to top(), then run().
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& about, const std::string& version);
  ~CommandLine();

  Command top();
  /// Runs what the words choose; help, the version and mistakes are printed here. Returns the exit code.
  int run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  Action chosen_;
};

}  // namespace polyad::cli
