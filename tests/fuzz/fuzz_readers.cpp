// Arbitrary bytes into every reader. A reader may succeed or throw polyad::Error with one line; nothing else.
// The program's own name says which reader: fuzz_tns, fuzz_npz, ...

#include <polyad/base/error.hpp>
#include <polyad/io/input_file.hpp>
#include <polyad/io/inspect.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>
#include <polyad/io/table/table_import.hpp>
#include <polyad/io/table/timestamps.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace polyad;

std::string scratch;

[[noreturn]] void broken(const char* what) {
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

void write_scratch(const char* data, std::size_t size) {
  const int file = open(scratch.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) broken("no room for the scratch file");
  close(file);
}

// What was read must be a tensor by its own rules.
void expect_sound(const Tensor& tensor) {
  if (const SparseTensor* sparse = tensor.sparse()) {
    for (std::size_t i = 0; i < sparse->listed(); ++i) {
      if (!std::isfinite(sparse->records().value(i))) broken("a listed value is finite");
      if (!tensor.space().contains(sparse->records().cell(i))) broken("an index is within its extent");
    }
  }
  tensor.labels().check(tensor.space());
}

void read_any_tensor() {
  ReadOptions options;
  expect_sound(read_tensor(scratch, options));
  options.unlisted = Unlisted::missing;
  options.base = 0;
  expect_sound(read_tensor(scratch, options));
  expect_sound(inspect_file(scratch, {}).tensor);
}

void read_any() {
  if (what_file_holds(scratch) == FileHolds::model) {
    const ModelFile file = read_model(scratch);
    file.labels.check(IndexSpace(file.model.factors.extents()));
  } else {
    read_any_tensor();
  }
}

// Only inputs that the reader in question would get.
template <FileFormat... formats>
void read_format() {
  const FileFormat found = InputFile(scratch).format();
  if (((found == formats) || ...)) read_any();
}

void read_toolbox() {
  const std::string_view start = InputFile(scratch).start();
  if (!start.empty()) read_any();
}

void read_cell_list() {
  static const IndexSpace space({4, 5, 4000000000u});
  const Records cells = read_cells(scratch, space, {});
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!space.contains(cells.cell(i))) broken("a cell is within the space");
  }
}

void read_label_list() {
  if (read_labels(scratch).empty()) broken("a list of labels is never empty");
}

void import_any_table() {
  ImportOptions options;
  options.modes = {"a", "b:day", "b:hour", "c:bin=0.5"};
  options.bad_rows = BadRows::skip;
  ImportReport report;
  expect_sound(import_table(scratch, options, report, nullptr));
  if (report.used > report.rows) broken("no more rows are used than there are");
}

using Read = void (*)();
Read chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {
  const std::string program = (*argv)[0];
  const std::string name = program.substr(program.rfind("fuzz_") + 5);
  if (name == "tns") chosen = read_format<FileFormat::text>;
  if (name == "packed") chosen = read_format<FileFormat::gzip, FileFormat::zstd>;
  if (name == "toolbox") chosen = read_toolbox;
  if (name == "npy") chosen = read_format<FileFormat::npy>;
  if (name == "npz") chosen = read_format<FileFormat::zip>;
  if (name == "mat") chosen = read_format<FileFormat::mat5, FileFormat::mat73>;
  if (name == "hdf5") chosen = read_format<FileFormat::hdf5>;
  if (name == "cells") chosen = read_cell_list;
  if (name == "labels") chosen = read_label_list;
  if (name == "table") chosen = import_any_table;
  if (name != "timestamp" && chosen == nullptr) {
    std::fprintf(stderr, "call this program by a name such as fuzz_npz\n");
    std::exit(2);
  }
  scratch = "/dev/shm/polyad-fuzz-" + std::to_string(getpid());
  std::atexit([] { unlink(scratch.c_str()); });
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const char* const bytes = reinterpret_cast<const char*>(data);
  if (chosen == nullptr) {
    for (const std::string& layout : known_layouts()) {
      const auto time = parse_timestamp({bytes, size}, layout);
      if (time && day_of(date_of(time->day)) != time->day) broken("a day survives its calendar");
    }
    return 0;
  }
  write_scratch(bytes, size);
  try {
    chosen();
  } catch (const Error& error) {
    const std::string_view message = error.what();
    if (message.empty() || message.find('\n') != std::string_view::npos) broken("an error is one line");
  }
  return 0;
}
