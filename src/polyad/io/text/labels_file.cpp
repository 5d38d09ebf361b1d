#include <polyad/base/error.hpp>
#include <polyad/io/file_errors.hpp>
#include <polyad/io/open.hpp>
#include <polyad/io/text/text_source.hpp>
#include <polyad/io/text/utf8.hpp>

namespace polyad {

std::vector<std::string> read_labels(const std::string& path) {
  TextSource source(path);
  std::vector<std::string> labels;
  std::string_view line;
  while (source.next_line(line)) {
    if (!is_utf8(line)) {
      fail_at(path, source.line(), "the label '{}' is not valid UTF-8; save the file as UTF-8", excerpt(line));
    }
    labels.emplace_back(line);
  }
  // An empty line at the end is the editor's, not a label.
  if (!labels.empty() && labels.back().empty()) labels.pop_back();
  if (labels.empty()) fail(ErrorKind::data, "'{}' holds no labels: give one a line, in index order", path);
  return labels;
}

}  // namespace polyad
