// Reading .tns text into a tensor that is ready for fits: 79 MB of it, plain and compressed. Times are those of the clock.
// The file is chicago/crime.tns.gz of the folder POLYAD_DATA where that is given, otherwise one like it.

#include "cells.hpp"

#include <polyad/io/open.hpp>
#include <polyad/tensor/tensor.hpp>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace polyad {
namespace {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "polyad-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for temporary files");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

Tensor crime() {
  if (const char* const data = std::getenv("POLYAD_DATA")) {
    const auto path = std::filesystem::path(data) / "chicago" / "crime.tns.gz";
    if (std::filesystem::exists(path)) return read_tensor(path.string());
  }
  return Tensor(SparseTensor(crime_space(), ordered_cells(crime_space(), crime_nonzeros)));
}

void read(benchmark::State& state, const std::string& name) {
  const Folder folder;
  write_tensor(folder / name, crime());
  for (auto _ : state) benchmark::DoNotOptimize(read_tensor(folder / name));
  state.counters["file_MB"] = static_cast<double>(std::filesystem::file_size(folder / name)) / 1e6;
}

BENCHMARK_CAPTURE(read, plain, "crime.tns")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(read, gzip, "crime.tns.gz")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace polyad
