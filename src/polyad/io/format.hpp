#pragma once
// File formats: one descriptor each. Recognition by content, writing by extension, refusals of what a format has no place for,
// help texts, `polyad reference`, and the tests of round trips, cuts, damage and fuzzing all follow from the list in formats.cpp:
// a new format is a source (or a folder) that defines its descriptor, and its name in that list.

#include <polyad/io/input_file.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>

#include <span>
#include <string>
#include <string_view>

namespace polyad {

/// How a format keeps a dense tensor: not at all, as a list of its cells (which reads back as a sparse tensor), or as it is.
enum class KeepsDense { no, as_list, yes };

struct FileFormat {
  std::string_view word;  ///< names it in tests, fuzzers and documents: "tns"
  std::string_view name;  ///< in messages: ".npz", "Tensor Toolbox text"
  std::string_view what;  ///< what such a file is: "a NumPy array"
  std::string_view help;  ///< one line about it, for documents
  /// Of outputs; every one means this format.
  std::span<const std::string_view> extensions;
  /// Whether it is text, which is also read and written compressed (.gz, .zst).
  bool text = false;

  // What it has a place for.
  KeepsDense dense = KeepsDense::no;
  bool sparse = false;
  bool labels = false;
  bool weights = false;           ///< of entries and of unlisted zeros, and lists of missing cells
  bool unlisted_missing = false;  ///< unlisted cells of a sparse tensor that are missing instead of zero
  std::string_view missing = {};  ///< how missing cells are stated, for documents; empty: not at all

  /// Whether a file that begins with these bytes (of its content, where it is compressed) is in this format. The first format
  /// of the list that says so is the file's. nullptr: such files are written only.
  bool (*recognises)(std::string_view start) = nullptr;
  /// nullptr: such files hold no models, or are not read.
  bool (*holds_model)(InputFile& file) = nullptr;
  Tensor (*read_tensor)(InputFile& file, const ReadOptions& options, Remarks* remarks) = nullptr;
  ModelFile (*read_model)(InputFile& file) = nullptr;
  /// nullptr: tensors, or models, are not written. What the descriptor says is not kept is refused before.
  void (*write_tensor)(const std::string& path, const Tensor& tensor, const WriteOptions& options) = nullptr;
  void (*write_model)(const std::string& path, const ModelFile& file, const WriteOptions& options) = nullptr;
};

std::span<const FileFormat* const> all_formats();

/// The format that the content shows; nullptr where it is one that polyad knows not to read (xz, PDF, ...), or a binary format
/// within compression.
const FileFormat* format_of(const InputFile& file);
/// What the file is, in words: "a NumPy array", "a text file", "compressed by xz".
std::string format_name(const InputFile& file);
/// Text, plain or compressed, of whatever kind.
bool is_text(const InputFile& file);

/// The format that an output's extension asks for (in any case, compression aside). A usage error lists the extensions that
/// work for tensors, or for models, where it is none of them.
const FileFormat& output_format(const std::string& path, FileHolds what);

/// ".h5, .npz, .tns (text also with .gz or .zst)": the extensions of all formats that are read, or that can be written.
std::string readable_extensions();
std::string writable_extensions(FileHolds what);

}  // namespace polyad
