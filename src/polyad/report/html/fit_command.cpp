#include <polyad/report/html/report_parts.hpp>
#include <polyad/report/text/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace polyad {

namespace {

std::string option_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Whether a command gives an option already, by its long or its short name.
bool gives(const std::string& command, const std::string& option) {
  const auto has = [&](const std::string& word) {
    const std::size_t at = command.find(fmt::format(" {}", word));
    const std::size_t end = at + 1 + word.size();
    return at != std::string::npos && (end == command.size() || command[end] == ' ' || command[end] == '=');
  };
  return has("--" + option) || (option == "rank" && has("-r")) || (option == "loss" && has("-l"));
}

}  // namespace

std::string fit_command(const ModelFile& file) {
  if (file.options->json.empty()) return {};
  const auto typed = file.summary->json.find("command");
  std::string command =
      typed != file.summary->json.end() && typed->is_string() ? typed->get<std::string>() : "polyad fit DATA";
  const std::string given = command;
  for (const auto& item : file.options->json.items()) {
    const Json& value = item.value();
    // Results do not depend on the number of threads.
    if (item.key() == "threads" || gives(given, item.key()) || value.is_null() || value.is_object() || value == "auto")
      continue;
    const auto add = [&](const Json& word) {
      const std::string text = option_text(word);
      if (!text.empty()) command += fmt::format(" {}", shell_word(fmt::format("--{}={}", item.key(), text)));
    };
    if (value.is_array()) {
      std::for_each(value.begin(), value.end(), add);
    } else {
      add(value);  // options that are true or false take that word too
    }
  }
  return printable(command);
}

}  // namespace polyad
