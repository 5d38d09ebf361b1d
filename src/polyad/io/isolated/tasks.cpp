// The reading process: what it does, from its arguments to its last word.

#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/io/checkpoint_file.hpp>
#include <polyad/io/hdf5/hdf5.hpp>
#include <polyad/io/hdf5/library.hpp>
#include <polyad/io/hdf5/reader.hpp>
#include <polyad/io/isolated/pack.hpp>
#include <polyad/io/isolated/reader.hpp>
#include <polyad/io/isolated/sandbox.hpp>
#include <polyad/io/mat/mat.hpp>

#include <unistd.h>

#include <cstdlib>
#include <new>

namespace polyad {
namespace {

void hdf5_tensor(const ReaderJob& job) {
  TensorPlaces places;
  const RawTensor tensor = read_hdf5_raw(job.path, job.facts, places);
  pack(job.out, tensor, places);
}

// A .mat file of version 7.3 is HDF5, which matio would follow to other files.
void refuse_other_files_in_mat(const std::string& path) {
  if (InputFile(path).start().starts_with("MATLAB 7.3")) Hdf5Reader(path, "");
}

void mat_tensor(const ReaderJob& job) {
  refuse_other_files_in_mat(job.path);
  pack(job.out, read_mat_raw(job.path, job.variable), {});
}

void mat_model(const ReaderJob& job) {
  refuse_other_files_in_mat(job.path);
  pack(job.out, read_mat_model(job.path, job.remarks));
}

void mat_holds_model(const ReaderJob& job) {
  refuse_other_files_in_mat(job.path);
  job.out.number(is_mat_model(job.path) ? 1 : 0);
}

constexpr ReaderTask own_tasks[] = {
    {"hdf5-tensor", hdf5_tensor},
    {"hdf5-model", [](const ReaderJob& job) { pack(job.out, read_hdf5_model(job.path)); }},
    {"hdf5-checkpoint", [](const ReaderJob& job) { pack(job.out, read_hdf5_checkpoint(job.path)); }},
    {"hdf5-holds-model", [](const ReaderJob& job) { job.out.number(is_hdf5_model(job.path) ? 1 : 0); }},
    {"mat-tensor", mat_tensor},
    {"mat-model", mat_model},
    {"mat-holds-model", mat_holds_model},
};

// A letter for the outcome, then an error's message, or remarks, one per line.
std::string outcome_of(std::string_view task, const ReaderJob& job, std::span<const ReaderTask> more) {
  try {
    for (const std::span<const ReaderTask> tasks : {std::span<const ReaderTask>(own_tasks), more}) {
      for (const ReaderTask& known : tasks) {
        if (known.name != task) continue;
        known.run(job);
        job.out.finish();
        return fmt::format("o{}", joined(job.remarks, "\n"));
      }
    }
  } catch (const Error& error) {
    return fmt::format("{}{}", static_cast<char>('a' + static_cast<int>(error.kind())), error.text());
  } catch (const std::bad_alloc&) {
    return "m";
  } catch (...) {
    return "x";
  }
  return "x";
}

}  // namespace

int reader_main(int argc, char** argv, std::span<const ReaderTask> more) {
  if (argc != 9 || argv[1] != reader_protocol) {
    const bool asked_by_polyad = argc > 1 && std::string_view(argv[1]).starts_with("polyad-reader-");
    const std::string text = fmt::format("{}polyad-reader is of another version than the program that started it",
                                         static_cast<char>('a' + static_cast<int>(ErrorKind::file)));
    const int where = asked_by_polyad ? reader_report : STDERR_FILENO;
    const std::string said = asked_by_polyad ? text : "polyad-reader is started by polyad; it is not for people\n";
    return write(where, said.data(), said.size()) < 0 ? 1 : 2;
  }
  close_range(reader_report + 1, ~0U, 0);
  const std::uint64_t memory = std::strtoull(argv[3], nullptr, 10);
  constexpr std::uint64_t no_limit = std::uint64_t{1} << 62;
  limit_this_process(
      {.memory = memory, .result = memory != 0 ? memory : no_limit, .seconds = std::strtoull(argv[4], nullptr, 10)});
  if (std::to_string(getppid()) != argv[2]) return 1;  // nobody waits any more
  const std::string path = argv[6];
  prepare_hdf5_for_strangers();
  close_the_doors(path, reader_input);
  WireWriter out(reader_result);
  Remarks remarks;
  const std::string outcome =
      outcome_of(argv[5], {path, argv[7], std::string_view(argv[8]) == "facts", out, remarks}, more);
  try {
    write_all(reader_report, "the report", outcome);
  } catch (const Error&) {
    _exit(1);
  }
  _exit(0);  // libraries have nothing to tidy up that the system does not
}

}  // namespace polyad
