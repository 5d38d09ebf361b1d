#pragma once
// Reading and writing tensors and models. The format of an input is recognised by its content, never by its name; the format of an
// output by its extension (docs/formats.md). Every error names the file, and the line and field where there is one. Every write is
// complete or absent: temporary file, fsync, rename.
//
//   OpenedData data = open_data("city.tns.gz", {.mode_names = "day,hour,area"});
//   write_model("city-model.h5", judged(result, data.tensor));     // evaluate.hpp
//   ModelFile file = read_model("city-model.h5");

#include <polyad/error.hpp>
#include <polyad/model.hpp>
#include <polyad/options/data.hpp>
#include <polyad/options/table.hpp>
#include <polyad/tensor.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polyad {

// --- tensors ----------------------------------------------------------------------------------------------------------------------

/// What a reader found and decided, for people: "1-based indices (no index is 0)", "12 duplicate entries were
/// summed".
using Remarks = std::vector<std::string>;

struct OpenedData {
  Tensor tensor;     ///< with labels, weights and missing cells
  Records held_out;  ///< cells declared missing that the file has values for
  Remarks remarks;   ///< what was found and decided, for people
};

/// Reads a tensor and everything that the options add to it.
OpenedData open_data(const std::string& path, const DataOptions& options = {});
/// New data for a model with these labels (from the file `model_path`): as `open_data`; a table (.csv, .tsv, also .gz or .zst) is
/// imported in the way that the model's own data were.
OpenedData open_new_data(const std::string& path, const DataOptions& options, const Labels& model_labels,
                         const std::string& model_path);

/// How a file alone is read.
struct ReadOptions {
  std::optional<int> base = {};                          ///< of .tns indices: 0 or 1; unset: detected and stated
  std::optional<ValueColumn> values = {};                ///< of .tns lines; unset: last, unless it looks like an index
  std::optional<std::vector<std::uint64_t>> shape = {};  ///< unset: from the file, or the largest indices seen
  Unlisted unlisted = Unlisted::zero;                    ///< what unlisted cells of a sparse file are
  std::string variable = {};                             ///< of a file that holds several (.mat, .npz)
  Mapping mapping = Mapping::automatic;
  std::optional<double> unpacked_limit = {};  ///< GB that compressed content may come to; unset: by the file's size
  /// Values that are not finite are left out (sparse) or become missing (infinities in dense files) instead of errors.
  bool drop_bad_values = false;
  /// Sees the entries as the file lists them, before duplicates are summed and zeros dropped. May be empty.
  std::function<void(const IndexSpace&, const Records&, Unlisted)> inspect = {};
  std::function<void(const IndexSpace&, std::span<const double>)> inspect_dense = {};
};

/// Opens a file in any of the formats that polyad reads.
Tensor read_tensor(const std::string& path, const ReadOptions& options = {}, Remarks* remarks = nullptr);

struct WriteOptions {
  bool mat_version_73 = false;  ///< .mat: version 7.3 (HDF5) instead of 5
  bool raw = false;             ///< .csv: labels as they are, also those that a spreadsheet takes for formulas
};

/// What a format has no place for is refused where losing it would change the data; an extension that no format has is
/// refused with the list of those that work.
void write_tensor(const std::string& path, const Tensor& tensor, const WriteOptions& options = {});
/// What a file is for.
enum class FileHolds { tensor, model };
FileHolds what_file_holds(const std::string& path);
/// Throws the error that writing a tensor, or a model, to `path` would meet now (an extension without a format, no such
/// folder, no permission, ...): for long computations, which should not find out at their end. Leaves nothing behind.
void check_output(const std::string& path, FileHolds what);

/// What an import came to.
struct ImportReport {
  std::uint64_t rows = 0;
  std::uint64_t used = 0;
  std::vector<std::pair<std::string, std::uint64_t>> empty;  ///< rows left out, by the column whose cell was empty
  std::uint64_t bad = 0;                                     ///< rows skipped because a cell could not be read
};

/// Makes a tensor from a table. Reads it twice: once to find out how timestamps are written, once to fill the tensor.
Tensor import_table(const std::string& path, const ImportOptions& options, ImportReport& report, Remarks* remarks);
/// The options with which the tensor behind these labels was imported: its labels keep them, with the layouts of time that were
/// found. A data error, where there are none, says so; `path` is the file that the labels are from.
ImportOptions import_options_of(const Labels& labels, const std::string& path);
/// {"rows", "used", "bad", "empty": {column: rows}, "shape", "listed"}, as `polyad import --json` prints it.
std::string json_text(const ImportReport& report, const Tensor& tensor);

/// One kind of thing in a file that is likely to be a mistake.
struct Finding {
  std::string kind;  ///< "duplicates", "explicit-zeros", "not-finite", "negative", "empty-slices", "base"
  std::uint64_t count = 0;
  std::string text;                   ///< one line for people, without the examples
  std::vector<std::string> examples;  ///< a few
  bool fixable = false;               ///< a clean copy would differ
};

struct Inspection {
  std::vector<Finding> findings;
  Tensor tensor;  ///< clean: duplicates summed, explicit zeros and values that are not finite left out
  Remarks remarks;
};

/// Reads a tensor as its file states it and looks for mistakes; throws where the file cannot be read at all.
Inspection inspect_file(const std::string& path, const ReadOptions& options = {});
/// {"shape", "findings": [{"kind", "count", "text", "examples", "fixable"}]}, as `polyad check --json` prints it. `style`: how option
/// names in texts are shown; plain where it is empty.
std::string json_text(const Inspection& inspection, const OptionStyle& style = {});

// --- models -----------------------------------------------------------------------------------------------------------------------

/// What a file says in words and figures, as a JSON object; kept behind a pointer.
class Notes {
 public:
  Notes();
  Notes(const Notes& other);
  Notes(Notes&& other) noexcept;
  Notes& operator=(const Notes& other);
  Notes& operator=(Notes&& other) noexcept;
  ~Notes();

  /// As JSON, in lines where `indent` is at least 0.
  std::string text(int indent = -1) const;
  /// A data error where the text is not a JSON object.
  static Notes from_text(std::string_view json);

  struct Content;  // io/model_file.hpp
  Content* operator->() { return content_.get(); }
  const Content* operator->() const { return content_.get(); }

 private:
  std::unique_ptr<Content> content_;
};

/// How well the cells of one slice (one index of one mode) are fitted: sums over its observed cells, with their weights.
struct SliceFit {
  double loss = 0;       ///< of the model
  double null_loss = 0;  ///< of the best constant
  double best_loss = 0;  ///< where the model would equal the data
  double observed = 0;   ///< data
  double expected = 0;   ///< what the model expects

  friend bool operator==(const SliceFit&, const SliceFit&) = default;
};

/// A model with what is known of it.
struct ModelFile {
  KTensor model;
  Labels labels;
  Notes options;                              ///< as used, by name
  Notes summary;                              ///< estimates, why it stopped, times, the verdict
  std::vector<Trace> traces;                  ///< one per start
  Notes diagnostics;                          ///< how well the model explains the data
  std::vector<std::vector<SliceFit>> slices;  ///< by mode and index; empty where not computed
};

/// The extension chooses the format; one that no format has is refused with the list of those that work. polyad's HDF5 alone
/// keeps options, summary, traces and diagnostics. Labels without modes are the same as labels that name nothing.
void write_model(const std::string& path, const ModelFile& file, const WriteOptions& options = {});
/// The labels always have the model's modes. A data error where the file is no model says what it is instead.
ModelFile read_model(const std::string& path);

/// Where the model of these data goes by default: "crime.tns.gz" -> "crime-model.h5" in the current folder, or
/// "crime-model-2.h5", ... where that exists: a file that nobody named is never overwritten.
std::string unused_model_path(const std::string& data_path);
/// The same with another ending: "august.csv" and "-rows.h5" -> "august-rows.h5".
std::string unused_path(const std::string& data_path, const std::string& ending);

}  // namespace polyad
