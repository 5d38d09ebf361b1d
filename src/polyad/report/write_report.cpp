#include <polyad/base/error.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/report.hpp>

#include <filesystem>

namespace polyad {

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
