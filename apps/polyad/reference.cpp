// polyad reference: every option, file format, loss, sampler and method, as Markdown, made from the lists that the program itself uses.

#include "polyad/command.hpp"
#include "polyad/field_options.hpp"
#include "polyad/print.hpp"

#include <polyad/base/fields.hpp>
#include <polyad/evaluate/notes.hpp>
#include <polyad/files.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/open.hpp>
#include <polyad/loss.hpp>
#include <polyad/options.hpp>
#include <polyad/sample/samplers.hpp>
#include <polyad/solve/method_table.hpp>

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

namespace polyad::cli {

namespace {

// A bar would end the cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

template <class Group>
std::string option_rows() {
  std::string out = "| option | value | default | meaning |\n|---|---|---|---|\n";
  const Group defaults{};
  for_each_field<Group>([&](const auto& f) {
    using T = std::remove_cvref_t<decltype(defaults.*f.member)>;
    const std::string value = f.placeholder.empty() ? detail::placeholder<T>() : std::string(f.placeholder);
    const std::string standard = text_of(defaults.*f.member);
    out += fmt::format("| `{}` | {} | {} | {} |\n", f.name, cell(value), standard.empty() ? "" : "`" + standard + "`",
                       cell(f.help));
  });
  return out;
}

std::string fit_options() {
  std::string out = "## Options of a fit\n";
  FitOptions options;
  for_each_group(options, [&](std::string_view title, auto& group) {
    out += fmt::format("\n### {}\n{}", title, option_rows<std::remove_cvref_t<decltype(group)>>());
  });
  return out;
}

std::string losses() {
  std::string out =
      "## Losses\n\n| loss | for | f(x, m) | m | values | factors | parameters |\n|---|---|---|---|---|---|---|\n";
  for (const Loss& loss : all_losses()) {
    const LossInfo& info = loss.info();
    std::string parameters;
    for (const auto& [name, value] : loss.parameters()) parameters += fmt::format("`{}` = {} ", name, value);
    out += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", info.name, cell(info.data), cell(info.formula),
                       cell(info.link), cell(describe(info.domain)), factor_bound(info), parameters);
  }
  return out;
}

std::string joined_uses(std::span<const std::string_view> uses) {
  std::string out;
  for (const std::string_view use : uses) out += fmt::format("{}`{}`", out.empty() ? "" : ", ", use);
  return out;
}

std::string methods() {
  std::string out =
      "## Methods\n\n| method | minimises | tolerance | iterations | its own options, or groups of them |\n"
      "|---|---|---|---|---|\n";
  const auto words = words_of(Method{});
  for (std::size_t i = 0; i < words.size(); ++i) {
    const MethodInfo& info = info_of(static_cast<Method>(i));
    const bool exact = info.iterations > 0;
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", words[i], cell(info.help),
                       exact ? fmt::format("{}", info.tolerance) : "", exact ? fmt::format("{}", info.iterations) : "",
                       joined_uses(info.uses));
  }
  return out;
}

std::string samplers() {
  std::string out = "## Samplers\n\n| sampler | data | its own options, or groups of them |\n|---|---|---|\n";
  const auto words = words_of(SamplerKind{});
  for (std::size_t i = 0; i < words.size(); ++i) {
    const SamplerInfo& info = info_of(static_cast<SamplerKind>(i));
    out += fmt::format("| `{}` | {} | {} |\n", words[i], info.sparse_only ? "sparse" : "any", joined_uses(info.uses));
  }
  return out;
}

std::string formats() {
  std::string out =
      "## File formats\n\n| format | extensions | tensors | models | dense | sparse | missing cells | weights | labels "
      "| compressed |\n|---|---|---|---|---|---|---|---|---|---|\n";
  const auto yes_no = [](bool yes) { return yes ? "yes" : "no"; };
  const auto use = [](bool reads, bool writes) {
    return reads && writes ? "read, written" : writes ? "written" : reads ? "read" : "no";
  };
  for (const FileFormat* format : all_formats()) {
    std::string extensions;
    for (const std::string_view extension : format->extensions) {
      extensions += fmt::format("{}`{}`", extensions.empty() ? "" : " ", extension);
    }
    const char* const dense = format->dense == KeepsDense::yes       ? "yes"
                              : format->dense == KeepsDense::as_list ? "as a list of cells"
                                                                     : "no";
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", cell(format->help), extensions,
                       use(format->read_tensor != nullptr, format->write_tensor != nullptr),
                       use(format->read_model != nullptr, format->write_model != nullptr), dense,
                       yes_no(format->sparse), format->missing.empty() ? "no" : cell(format->missing),
                       yes_no(format->weights), yes_no(format->labels), format->text ? "`.gz` `.zst`" : "no");
  }
  return out;
}

std::string reference() {
  return fmt::format(
      "# Reference\n\n"
      "Written by `polyad reference` from the lists that the program uses; a test compares the two. On the command "
      "line an\n"
      "option `name` is `--name`. A value `auto` is chosen for the data, and the program says what it chose.\n\n"
      "{}\n## Data\n{}\n## Import of tables\n{}\n{}\n{}\n{}\n{}",
      fit_options(), option_rows<DataOptions>(), option_rows<ImportOptions>(), formats(), methods(), samplers(),
      losses());
}

}  // namespace

void add_reference(Command& app) {
  Command command =
      app.add_subcommand("reference", "Print all options, file formats, methods, samplers and losses as Markdown");
  command.runs([] {
    print_trusted(stdout, reference());
    return exit_done;
  });
}

}  // namespace polyad::cli
