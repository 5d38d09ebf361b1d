#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/report.hpp>
#include <polyad/report/mode_kind.hpp>
#include <polyad/report/text/readable.hpp>
#include <polyad/report/text/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

constexpr std::size_t indent = 2;
constexpr std::size_t number_columns = 8;

class TextReport {
 public:
  TextReport(const Labels& labels, const ShowOptions& options) : labels_(labels), options_(options) {}

  void component(const ReadableModel& shown, std::size_t j) {
    std::string head = fmt::format("{}", j + 1);
    if (j < options_.names.size()) head += "  " + printable(options_.names[j]);
    const std::string size = size_text(shown, j);
    const std::string full = cut_to(head + "  " + size, options_.width, options_.ascii);
    // The name in bold, what follows plain; a name that leaves no room is shown alone.
    const bool both = full == head + "  " + size;
    out_ += both ? bold(head) + "  " + size : bold(full);
    out_ += "\n";
    for (std::size_t k = 0; k < shown.model.modes(); ++k) mode(k, column_of(shown.model, k, j), shown.nonnegative);
    out_ += "\n";
  }
  std::string take() { return std::move(out_); }

 private:
  std::string bold(const std::string& text) const { return options_.color ? "\x1b[1m" + text + "\x1b[0m" : text; }
  std::string dim(const std::string& text) const { return options_.color ? "\x1b[2m" + text + "\x1b[0m" : text; }
  std::string tint(const std::string& text, bool negative) const {
    if (!options_.color) return text;
    return fmt::format("\x1b[{}m{}\x1b[0m", negative ? 33 : 36, text);
  }

  void mode(std::size_t k, const std::vector<double>& column, bool shares) {
    const std::size_t room = options_.width - indent;
    out_ += std::string(indent, ' ') + cut_to(mode_title(labels_, k), room, options_.ascii) + "\n";
    const ModeKind kind = mode_kind(labels_of_mode(labels_, k), column.size());
    const bool ordered = kind == ModeKind::time || kind == ModeKind::hours || kind == ModeKind::index;
    if (ordered && column.size() > 7) curve(k, column);
    entries(k, column, shares);
  }

  void curve(std::size_t k, const std::vector<double>& column) {
    const std::size_t columns = std::min<std::size_t>(options_.width - 2 * indent, 120);
    const std::string line = sparkline(column, columns, options_.ascii);
    const std::size_t drawn = std::min(columns, column.size());
    out_ += std::string(2 * indent, ' ') + tint(line, false) + "\n";
    std::string marks;
    for (const Tick& tick :
         axis_ticks(labels_of_mode(labels_, k), column.size(), std::max<std::size_t>(2, drawn / 6))) {
      const std::size_t at = tick.index * drawn / column.size();
      const std::string text = printable(tick.text);
      const std::size_t used = display_width(marks);
      if ((used > 0 && used + 1 > at) || at + display_width(text) > std::max(drawn, display_width(text))) continue;
      marks += std::string(at - used, ' ') + text;
    }
    if (!marks.empty()) out_ += std::string(2 * indent, ' ') + dim(marks) + "\n";
  }

  void entries(std::size_t k, const std::vector<double>& column, bool shares) {
    const std::vector<std::size_t> top = top_entries(column, options_.top);
    const std::size_t room = options_.width - 2 * indent;
    double rest = 0;
    for (const double v : column) rest += v;
    for (const std::size_t i : top) rest -= column[i];
    const bool tell_rest = shares && top.size() < column.size() && rest > 1e-12;
    const std::size_t others_count = column.size() - top.size();
    const std::string others = fmt::format("{} other{}", others_count, others_count == 1 ? "" : "s");
    std::size_t label_columns = tell_rest ? others.size() : 0;
    for (const std::size_t i : top)
      label_columns = std::max(label_columns, display_width(printable(entry_title(labels_, k, i))));
    label_columns = std::min(label_columns, room / 2);
    const std::size_t bar_columns = std::min<std::size_t>(32, room - label_columns - number_columns - 4);
    const double largest = top.empty() ? 1 : std::abs(column[top[0]]);
    for (const std::size_t i : top) {
      const double v = column[i];
      const std::string number = shares ? percent(v) : short_number(v);
      out_ += fmt::format("{}{}  {:>{}}  {}", std::string(2 * indent, ' '),
                          fit_to(entry_title(labels_, k, i), label_columns, options_.ascii), number, number_columns,
                          tint(trimmed(text_bar(std::abs(v) / largest, bar_columns, options_.ascii)), v < 0));
      out_ += "\n";
    }
    if (top.empty()) out_ += std::string(2 * indent, ' ') + dim("all entries are 0") + "\n";
    if (tell_rest) {
      out_ += dim(fmt::format("{}{}  {:>{}}", std::string(2 * indent, ' '),
                              fit_to(others, label_columns, options_.ascii), percent(rest), number_columns)) +
              "\n";
    }
  }

  static std::string trimmed(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  }

  const Labels& labels_;
  const ShowOptions& options_;
  std::string out_;
};

}  // namespace

ShowRange show_range(const KTensor& model, const Labels& labels, const ShowOptions& options) {
  validate_fields(options);
  if (labels.modes() > 0) labels.check(IndexSpace(model.factors.extents()));
  if (!options.component) return {0, model.rank()};
  if (*options.component > model.rank()) {
    fail(ErrorKind::usage, "component {} does not exist: the model has {}", *options.component, model.rank());
  }
  return {*options.component - 1, *options.component};
}

std::string show_text(const KTensor& model, const Labels& labels, const ShowOptions& options) {
  const ShowRange range = show_range(model, labels, options);
  const ReadableModel shown = readable(model);
  TextReport report(labels, options);
  for (std::size_t j = range.begin; j < range.end; ++j) report.component(shown, j);
  return report.take();
}

}  // namespace polyad
