#include <polyad/base/error.hpp>
#include <polyad/base/json_value.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/report.hpp>
#include <polyad/report/html/report_parts.hpp>
#include <polyad/report/text/text.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <functional>

namespace polyad {

namespace {

// JSON that may stand inside a script element: no character that HTML could take for a tag or a comment.
std::string script_safe(const Json& json) {
  const std::string plain = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(plain.size() + plain.size() / 16);
  for (const char c : plain) {
    switch (c) {
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      default:
        out.push_back(c);
    }
  }
  return out;
}

}  // namespace

std::string report_html(const std::vector<ReportModel>& models, const ReportOptions& options) {
  const Json data = report_data(models, options);
  const std::string text = script_safe(data);
  // The same report is the same bytes, so the nonce comes from the content.
  const std::string nonce = fmt::format("{:016x}", std::hash<std::string>{}(text));
  const std::string title = xml_escape(data["title"].get<std::string>());
  std::string page;
  page.reserve(text.size() + viewer_d3().size() + viewer_script().size() + viewer_style().size() + 4096);
  fmt::format_to(std::back_inserter(page),
                 "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-{0}'; "
                 "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"color-scheme\" content=\"light dark\">\n"
                 "<meta name=\"generator\" content=\"polyad\">\n<title>{1}</title>\n<style>\n",
                 nonce, title);
  page += viewer_style();
  page +=
      "</style>\n</head>\n<body>\n<noscript>This report draws itself with JavaScript, which is switched off "
      "here.</noscript>\n<script type=\"application/json\" id=\"polyad-data\">";
  page += text;
  page += "</script>\n";
  for (const std::string_view script : {viewer_d3(), viewer_script()}) {
    page += fmt::format("<script nonce=\"{}\">\n", nonce);
    page += script;
    page += "</script>\n";
  }
  page += "</body>\n</html>\n";
  return page;
}

void check_report_path(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  if (extension != ".html" && extension != ".htm" && extension != ".svg") {
    fail(ErrorKind::usage, "{}: give the report a name that ends in .html (interactive) or .svg (a picture)", path);
  }
  check_writable(path);
}

void write_report(const std::string& path, const std::vector<ReportModel>& models, const ReportOptions& options,
                  SvgOptions picture) {
  if (models.empty()) fail(ErrorKind::usage, "a report needs a model");
  if (std::filesystem::path(path).extension() == ".svg") {
    const ModelFile& file = models.front().file;
    picture.title = options.title;
    picture.maps = options.maps;
    picture.names = component_names(file);
    write_text_file(path, components_svg(file.model, file.labels, picture));
  } else {
    write_text_file(path, report_html(models, options));
  }
}

}  // namespace polyad
