#include "polyad/data_options.hpp"
#include "polyad/command.hpp"
#include "polyad/print.hpp"

#include "polyad/field_options.hpp"

#include <polyad/io/format.hpp>
#include <polyad/tensor.hpp>

#include <fmt/format.h>

namespace polyad::cli {

void DataArguments::add_file_to(Command& command) {
  command.add_option("DATA", path, fmt::format("tensor file, recognised by its content: {}", readable_extensions()))
      .required();
}

void DataArguments::add_options_to(Command& command) {
  add_fields(command, "Data", options);
}

OpenedData DataArguments::open(bool quiet) const {
  OpenedData data = open_data(path, options);
  if (!quiet) say_what_was_read(data);
  return data;
}

OpenedData DataArguments::open_for(const Labels& model_labels, const std::string& model_path, bool quiet) const {
  OpenedData data = open_new_data(path, options, model_labels, model_path);
  if (!quiet) say_what_was_read(data);
  return data;
}

void DataArguments::say_what_was_read(const OpenedData& data) const {
  print_err("Read {}: {}\n", path, describe(data.tensor));
  for (const std::string& remark : data.remarks) print_err("  {}\n", as_flags(remark));
}

}  // namespace polyad::cli
