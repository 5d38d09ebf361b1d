#include "polyad/progress_line.hpp"
#include "polyad/print.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace polyad::cli {

namespace {
constexpr double terminal_interval = 0.1;  // seconds between updates of the line
constexpr double pipe_interval = 5.0;      // seconds between plain lines
}  // namespace

std::string ProgressLine::time_left(const Progress& p) const {
  if (p.open_ended) return fmt::format("{} so far", duration(clock_.seconds()));
  const std::uint64_t total = p.starts * p.epochs - epochs_saved_;
  if (epochs_done_ == 0 || total <= epochs_done_) return "";
  return duration(clock_.seconds() * static_cast<double>(total - epochs_done_) / static_cast<double>(epochs_done_)) +
         " left";
}

void ProgressLine::update(const Progress& p) {
  const double change = p.row.epoch > 0 ? p.row.estimate - previous_ : 0.0;
  if (p.start == 0 || p.starts == 1) previous_ = p.row.estimate;
  if (p.row.epoch > 0) ++epochs_done_;
  if (p.last) {
    ++starts_done_;
    epochs_saved_ += p.epochs - std::min<std::uint64_t>(p.epochs, p.row.epoch);
  }
  if (std::isfinite(p.best) && (!have_best_ || p.best < best_)) {
    best_ = p.best;
    have_best_ = true;
  }
  if (quiet_) return;

  const double now = clock_.seconds();
  const bool due = now - last_shown_ >= (terminal_ ? terminal_interval : pipe_interval);
  if (!due && !p.last) return;
  last_shown_ = now;

  std::string text;
  if (p.starts > 1) text += fmt::format("start {}/{}  ", p.start + 1, p.starts);
  const bool exact = p.row.rate == 0;
  text += fmt::format("{} {}/{}  loss {:.6g}", exact ? "iteration" : "epoch", p.row.epoch, p.epochs, p.row.estimate);
  if (p.starts == 1 && p.row.epoch > 0 && std::isfinite(change)) text += fmt::format(" ({:+.2g})", change);
  if (p.starts > 1 && have_best_) text += fmt::format("  best {:.6g}", best_);
  if (exact) {
    text += fmt::format("  {}{}{}", p.note, p.note.empty() ? "" : "  ", time_left(p));
  } else {
    text += fmt::format("  rate {:.2g}{}  {}", p.row.rate, p.row.accepted ? "" : " (undone)", time_left(p));
  }
  if (terminal_) {
    text.resize(std::min(text.size(), terminal_width() - 1));
    print_trusted(stderr, "\r\x1b[K" + printable(text));
    shown_ = true;
  } else {
    print_err("  {}\n", text);
  }
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (shown_) print_trusted(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace polyad::cli
