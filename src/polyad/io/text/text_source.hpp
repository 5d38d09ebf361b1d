#pragma once
// Text as a stream of lines or of blocks of whole lines, plain or compressed (recognised by content). Memory does not depend
// on the size of the file. Binary data and endless lines are refused before they do harm.

#include <polyad/io/input_file.hpp>
#include <polyad/io/text/decoder.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace polyad {

class TextSource {
 public:
  explicit TextSource(const std::string& path);
  /// Reads on from a file that is open already; it must outlive the source.
  explicit TextSource(InputFile& file);

  const std::string& path() const { return file_.path(); }

  /// The next line without its end (\n or \r\n); false after the last. Valid until the next call.
  bool next_line(std::string_view& line);
  /// Lines given so far by next_line: the number of the last one, counted from 1.
  std::uint64_t line() const { return line_; }
  /// All that is left of the current block: whole lines, each with its '\n' (also the last). Empty at the end.
  std::string_view next_block();
  /// Nothing is left.
  bool at_end() const { return ended_ && begin_ == lines_end_ && lines_end_ == filled_; }
  /// Whether the last line had an end; known at the end.
  bool last_line_ended() const { return last_line_ended_; }
  /// A data error where it had none: for formats that say how much they hold, whose last number may be cut.
  void require_last_line_end() const;
  /// The share of the file that has been read, at least what the lines given so far took; 0 where the file's size is not
  /// known.
  double share() const;

 private:
  bool fill();
  void start();
  [[noreturn]] void not_text(std::string_view what, const char* at) const;

  std::unique_ptr<InputFile> own_;
  InputFile& file_;
  std::unique_ptr<Decoder> decoder_;
  std::string buffer_;
  std::size_t begin_ = 0;      // of what has not been given out
  std::size_t lines_end_ = 0;  // of the whole lines in the buffer
  std::size_t filled_ = 0;     // of all bytes in the buffer
  std::uint64_t line_ = 0;
  std::uint64_t lines_before_ = 0;  // before the buffer, for errors
  bool ended_ = false;
  bool last_line_ended_ = true;
};

std::uint64_t count_lines(std::string_view text);

}  // namespace polyad
