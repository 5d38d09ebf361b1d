#include <polyad/base/error.hpp>
#include <polyad/io/text/text_source.hpp>

#include <algorithm>
#include <cstring>

namespace polyad {
namespace {

constexpr std::size_t block_bytes = std::size_t{256} * 1024;
constexpr std::size_t longest_line = std::size_t{1} << 26;  // a matrix of millions of columns has a long line
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace

TextSource::TextSource(const std::string& path) : own_(std::make_unique<InputFile>(path)), file_(*own_) {
  start();
}

TextSource::TextSource(InputFile& file) : file_(file) {
  start();
}

void TextSource::start() {
  decoder_ = make_decoder(file_);
  // What is known to be small needs no block of full size, whose clearing would take longer than its reading.
  const bool known = !decoder_ && file_.ordinary();
  buffer_.resize(known ? static_cast<std::size_t>(std::min<std::uint64_t>(block_bytes, file_.size() + 2))
                       : block_bytes);
  fill();
  if (std::string_view(buffer_).substr(0, lines_end_).starts_with(byte_order_mark)) begin_ = byte_order_mark.size();
}

void TextSource::not_text(std::string_view what, const char* at) const {
  const auto lines = std::count(buffer_.data(), at, '\n');
  fail(ErrorKind::data, "{}:{}: {}: this is neither a text file nor another format that polyad reads", path(),
       lines_before_ + static_cast<std::uint64_t>(lines) + 1, what);
}

// Brings whole lines into the buffer; false where there are none left.
bool TextSource::fill() {
  lines_before_ += count_lines({buffer_.data(), lines_end_});
  std::memmove(buffer_.data(), buffer_.data() + lines_end_, filled_ - lines_end_);
  filled_ -= lines_end_;
  begin_ = lines_end_ = 0;
  while (!ended_ && lines_end_ == 0) {
    if (filled_ + 1 >= buffer_.size()) buffer_.resize(2 * buffer_.size());
    char* const fresh = buffer_.data() + filled_;
    // One byte for the last line's end; nothing is read beyond the longest line.
    const std::size_t room = std::min(buffer_.size() - 1, std::max(block_bytes, longest_line + 1)) - filled_;
    std::size_t got = 0;
    while (got < room) {
      const std::size_t part = decoder_ ? decoder_->read(fresh + got, room - got) : file_.read(fresh + got, room - got);
      if (part == 0) {
        ended_ = true;
        break;
      }
      got += part;
    }
    if (const void* zero = std::memchr(fresh, 0, got)) not_text("a zero byte", static_cast<const char*>(zero));
    filled_ += got;
    if (ended_ && filled_ > 0 && buffer_[filled_ - 1] != '\n') {
      buffer_[filled_++] = '\n';
      last_line_ended_ = false;
    }
    lines_end_ = std::string_view(buffer_.data(), filled_).rfind('\n') + 1;  // 0 where there is none
    if (lines_end_ == 0 && filled_ > longest_line) not_text("a line of over 64 MiB", buffer_.data());
  }
  return lines_end_ > 0;
}

bool TextSource::next_line(std::string_view& line) {
  if (begin_ == lines_end_ && !fill()) return false;
  const char* const from = buffer_.data() + begin_;
  const char* const end = static_cast<const char*>(std::memchr(from, '\n', lines_end_ - begin_));
  begin_ += static_cast<std::size_t>(end - from) + 1;
  ++line_;
  line = {from, static_cast<std::size_t>(end - from)};
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

std::string_view TextSource::next_block() {
  if (begin_ == lines_end_ && !fill()) return {};
  const std::string_view block(buffer_.data() + begin_, lines_end_ - begin_);
  begin_ = lines_end_;
  return block;
}

void TextSource::require_last_line_end() const {
  if (last_line_ended_) return;
  fail(ErrorKind::data, "'{}' ends within its last line; is it cut short? If not, end that line", path());
}

double TextSource::share() const {
  if (!file_.ordinary() || file_.size() == 0) return 0;
  return std::min(1.0, static_cast<double>(file_.taken()) / static_cast<double>(file_.size()));
}

std::uint64_t count_lines(std::string_view text) {
  std::uint64_t lines = 0;
  while (!text.empty()) {
    const std::string_view some = text.substr(0, 255);  // a byte can count them, so that a vector holds many counts
    std::uint8_t count = 0;
    for (const char c : some) count += c == '\n' ? 1 : 0;
    lines += count;
    text.remove_prefix(some.size());
  }
  return lines;
}

}  // namespace polyad
