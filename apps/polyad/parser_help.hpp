#pragma once
// Help texts: what to write on the left, what it means on the right, wrapped to the terminal; defaults in words.

#include <CLI/CLI.hpp>

#include <string>

namespace polyad::cli {

class ParserHelp : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace polyad::cli
