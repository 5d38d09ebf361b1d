#pragma once
// The data file of a command and how it is to be read, shared by every command that reads tensors.

#include "polyad/parser.hpp"

#include <polyad/io/open.hpp>

#include <string>

namespace polyad::cli {

struct DataArguments {
  std::string path;
  DataOptions options;

  void add_file_to(Command& command);
  void add_options_to(Command& command);
  /// Opens the data; says what it found on standard error unless `quiet`.
  OpenedData open(bool quiet) const;
  /// The same for new data of a model, which may also be a table (polyad/files.hpp).
  OpenedData open_for(const Labels& model_labels, const std::string& model_path, bool quiet) const;

 private:
  void say_what_was_read(const OpenedData& data) const;
};

}  // namespace polyad::cli
