#pragma once
// Libraries for rich binary formats (HDF5, matio) can crash, never end, or reach for other files, on files that are damaged or
// made to do harm. Every such file, polyad's own too, is therefore read by a process of its own: the program polyad-reader, which
// may read that file and nothing else (sandbox.hpp), and hands over what it read in a form that is simple to check (wire.hpp). Whatever
// happens to it becomes a data error about the file. See docs/design/0007.

#include <polyad/io/input_file.hpp>
#include <polyad/io/isolated/wire.hpp>
#include <polyad/io/memory_file.hpp>
#include <polyad/io/open.hpp>

#include <string>
#include <string_view>

namespace polyad {

/// What is asked of the reader: "hdf5-tensor", "mat-model", ... (tasks.cpp has the list).
struct ReaderRequest {
  std::string task;
  std::string variable = {};  ///< of a .mat file; may be empty
  bool facts = false;         ///< whether what the file says of its values may be believed
};

/// What the reader made of a file. An Error there is thrown here; a crash, or no end within the limits, is a data error that
/// blames the file. Processor time: 20 seconds and one more for every 4 MB of the file.
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

/// The reader's own main function. Descriptor 3: the file, 4: the result, 5: the report.
int reader_main(int argc, char** argv);

}  // namespace polyad
