#pragma once
// Libraries for rich binary formats (HDF5, matio) can crash, never end, or reach for other files, on files that are damaged or
// made to do harm. Every such file, polyad's own too, is therefore read by a process of its own: the program polyad-reader, which
// may read that file and nothing else (sandbox.hpp), and hands over what it read in a form that is simple to check (wire.hpp). Whatever
// happens to it becomes a data error about the file. See docs/design/0007.

#include <polyad/io/input_file.hpp>
#include <polyad/io/isolated/wire.hpp>
#include <polyad/io/open.hpp>
#include <polyad/io/temporary_files.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace polyad {

/// What the reader may use; in each case more for large files.
struct ReaderLimits {
  std::uint64_t seconds = 20;  ///< of processor time, and one more for every 4 MB of the file
  double clock = 3;            ///< by the clock, times the processor time: a reader that waits uses none
  /// Bytes of memory, and as much more as a file of its size can be worth: deflate packs 1032 bytes into one at most, bytes may
  /// become doubles, and there may be three copies. A small file that asks for more is damaged; it must not drive everything
  /// else out of memory before it fails. Never more than is available.
  double memory = 512e6;
};

/// What is asked of the reader: "hdf5-tensor", "mat-model", ... (tasks.cpp has the list).
struct ReaderRequest {
  std::string task;
  std::string variable = {};  ///< of a .mat file; may be empty
  bool facts = false;         ///< whether what the file says of its values may be believed
  ReaderLimits limits = {};
};

/// What the reader made of a file. An Error there is thrown here; a crash, or no end within the limits, is a data error that
/// blames the file.
class IsolatedRead {
 public:
  IsolatedRead(const InputFile& file, const ReaderRequest& request, Remarks* remarks);
  WireReader& result() { return *result_; }

 private:
  MemoryFile memory_;
  std::optional<WireReader> result_;
};

/// Where polyad-reader is: named by the environment variable POLYAD_READER, beside the running program or the module (of
/// Python, say) that holds this code, in the folder it was installed to, or in an absolute folder of PATH. A file error, which
/// says so, where it is in none of them.
std::string reader_program();

/// What a task has to work with.
struct ReaderJob {
  std::string path;
  std::string variable;
  bool facts = false;
  WireWriter& out;
  Remarks& remarks;
};
struct ReaderTask {
  std::string_view name;
  void (*run)(const ReaderJob&);
};

/// The reader's own main function. Descriptor 3: the file, 4: the result, 5: the report. `more`: tasks besides its own; the
/// tests have some that try to get out.
int reader_main(int argc, char** argv, std::span<const ReaderTask> more = {});

/// Changes with anything that a program and a reader of different builds would understand differently.
constexpr std::string_view reader_protocol = "polyad-reader-1";

constexpr int reader_input = 3;
constexpr int reader_result = 4;
constexpr int reader_report = 5;

}  // namespace polyad
