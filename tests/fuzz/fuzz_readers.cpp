// Arbitrary bytes into everything that reads what others wrote. A reader may succeed or throw polyad::Error with one line; nothing
// else. What it accepts must be right: it is written and read again (round_trip.hpp).
// The program's own name says which reader: fuzz_tns, fuzz_npz, ...

#include "round_trip.hpp"

#include <polyad/base/error.hpp>
#include <polyad/base/json_fields.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/model_file.hpp>
#include <polyad/io/open.hpp>
#include <polyad/io/table/timestamps.hpp>
#include <polyad/loss.hpp>
#include <polyad/model/guess.hpp>
#include <polyad/optim/optimizer.hpp>
#include <polyad/optim/schedule.hpp>
#include <polyad/options/sampling.hpp>
#include <polyad/report/regions.hpp>
#include <polyad/sample/sampler.hpp>
#include <polyad/sample/strata/strata.hpp>
#include <polyad/tensor/tensor.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace {

using namespace polyad;
using fuzz::broken;
using fuzz::expect_round_trip;
using fuzz::expect_sound;

std::string folder, scratch;
std::string_view input;  // as given

void write_scratch(const char* data, std::size_t size) {
  const int file = open(scratch.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) broken("no room for the scratch file");
  close(file);
}

void read_any_tensor() {
  ReadOptions options;
  const Tensor tensor = read_tensor(scratch, options);
  expect_sound(tensor);
  expect_round_trip(tensor, scratch);
  options.unlisted = Unlisted::missing;
  options.base = 0;
  expect_sound(read_tensor(scratch, options));
  expect_sound(inspect_file(scratch, {}).tensor);
}

void read_any() {
  if (what_file_holds(scratch) == FileHolds::model) {
    const ModelFile file = read_model(scratch);
    file.labels.check(IndexSpace(file.model.factors.extents()));
    expect_round_trip(file, scratch);
  } else {
    read_any_tensor();
  }
}

const FileFormat* chosen_format = nullptr;

// Only inputs that the reader in question would get.
void read_format() {
  if (format_of(InputFile(scratch)) == chosen_format) read_any();
}

void read_packed() {
  if (InputFile(scratch).compression() != Compression::none) read_any();
}

void read_hdf5() {
  const FileFormat* const format = format_of(InputFile(scratch));
  if (format != nullptr && format->word == "hdf5") read_any();
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

// A tensor as a table, imported again: every label and value comes back.
void expect_table_round_trip(const Tensor& tensor) {
  const std::string path = scratch + ".csv";
  Labels named = tensor.labels();
  for (std::size_t k = 0; k < named.modes(); ++k) named.mode(k).name = "m" + std::to_string(k);
  write_tensor(path, Tensor(SparseTensor(*tensor.sparse()), named));
  ImportOptions options;
  for (std::size_t k = 0; k < named.modes(); ++k) options.modes.push_back("m" + std::to_string(k));
  options.value = "value";
  ImportReport report;
  const Tensor again = import_table(path, options, report, nullptr);
  unlink(path.c_str());
  const Records &a = tensor.sparse()->records(), &b = again.sparse()->records();
  if (a.size() != b.size() || report.used != report.rows)
    broken("a table that is written and imported has the same entries");
  std::map<std::vector<std::string>, double> cells;
  const auto texts = [](const Tensor& x, std::size_t i) {
    std::vector<std::string> out;
    for (std::size_t k = 0; k < x.space().modes(); ++k)
      out.push_back(x.labels().entry(k, x.sparse()->records().index(i)[k]));
    return out;
  };
  for (std::size_t i = 0; i < a.size(); ++i) cells[texts(tensor, i)] = a.value(i);
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto found = cells.find(texts(again, i));
    if (found == cells.end() || found->second != b.value(i)) broken("a table that is written and imported is the same");
  }
}

void import_any_table() {
  ImportOptions options;
  options.modes = {"a", "b:day", "b:hour", "c:bin=0.5"};
  options.bad_rows = BadRows::skip;
  ImportReport report;
  const Tensor tensor = import_table(scratch, options, report, nullptr);
  expect_sound(tensor);
  expect_round_trip(tensor, scratch);
  expect_table_round_trip(tensor);
  if (report.used > report.rows) broken("no more rows are used than there are");
}

// Files with polyad's own checksum, made after the damage: what an attacker would do.
void read_sealed() {
  const std::string bytes = fuzz::sealed(std::string(input));
  write_scratch(bytes.data(), bytes.size());
  read_hdf5();
}

void read_sealed_checkpoint() {
  const std::string bytes = fuzz::sealed(std::string(input));
  write_scratch(bytes.data(), bytes.size());
  const FileFormat* const format = format_of(InputFile(scratch));
  if (format != nullptr && format->word == "hdf5") expect_round_trip(read_checkpoint(scratch), scratch);
}

void read_timestamp() {
  for (const std::string& layout : known_layouts()) {
    const auto time = parse_timestamp(input, layout);
    if (time && day_of(date_of(time->day)) != time->day) broken("a day survives its calendar");
  }
}

void read_geojson() {
  const Labels labels({{"place", {"Loop", "7 Old Town", "12"}}});
  const RegionMap map = regions_of(input, "", labels, 0, 3);
  for (const Region& region : map.regions) {
    if (region.index >= 3) broken("a region belongs to an index");
    for (const auto& ring : region.rings) {
      for (const auto& point : ring) {
        if (point.x < 0 || point.x > map_grid || point.y < 0 || point.y > map_grid) broken("a point is on the grid");
      }
    }
  }
}

void read_loss() {
  const Loss loss = parse_loss(input);
  if (parse_loss(loss.spec()).spec() != loss.spec()) broken("a loss is what its text says");
}

void read_stratum() {
  static const IndexSpace space({4, 5, 4000000000u});
  (void)parse_stratum(input, space);
}

// "name=value" a line into a list of fields; what was accepted is the same after a way through JSON.
template <class Options>
void read_options_as() {
  Options options;
  std::string_view rest = input;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    for_each_field<Options>([&](const auto& field) {
      if (field.name == line.substr(0, equals)) parse_value(field.name, line.substr(equals + 1), options.*field.member);
    });
  }
  validate_fields(options);
  const Json json = fields_to_json(options);
  Options again;
  fields_from_json(Json::parse(json.dump(-1, ' ', false, Json::error_handler_t::replace)), again);
  if (fields_to_json(again).dump(-1, ' ', false, Json::error_handler_t::replace) !=
      json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    broken("options are the same after a way through JSON");
  }
}

template <class... Options>
void read_options() {
  const auto one = []<class O>(std::type_identity<O>) {
    try {
      read_options_as<O>();
    } catch (const Error& error) {
      if (std::string_view(error.what()).find('\n') != std::string_view::npos) broken("an error is one line");
    }
  };
  (one(std::type_identity<Options>{}), ...);
}

struct Reader {
  std::string_view name;
  void (*read)();
  bool from_file = true;  ///< otherwise it takes the input itself, and no time is spent on files
};

// Besides one for every format that is read, by its word.
constexpr Reader readers[] = {
    {"packed", read_packed},
    {"cells", read_cell_list},
    {"labels", read_label_list},
    {"table", import_any_table},
    {"sealed", read_sealed, false},
    {"checkpoint", read_sealed_checkpoint, false},
    {"timestamp", read_timestamp, false},
    {"geojson", read_geojson, false},
    {"loss", read_loss, false},
    {"stratum", read_stratum, false},
    {"options",
     read_options<SampleOptions, ImportanceOptions, ScheduleOptions, OptimizerOptions, GuessOptions, ImportOptions>,
     false},
};

const Reader* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {
  const std::string program = (*argv)[0];
  const std::string name = program.substr(program.rfind("fuzz_") + 5);
  static Reader of_format{};
  for (const FileFormat* format : all_formats()) {
    if (name != format->word || format->recognises == nullptr) continue;
    chosen_format = format;
    of_format = {format->word, read_format};
    chosen = &of_format;
  }
  for (const Reader& reader : readers) {
    if (reader.name == name) chosen = &reader;
  }
  if (chosen == nullptr) {
    std::fprintf(stderr, "call this program by a name such as fuzz_npz\n");
    std::exit(2);
  }
  // In memory, and in a folder of its own: writers look for what others left in theirs.
  folder = "/dev/shm/polyad-fuzz-" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  scratch = folder + "/input";
  std::atexit([] {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  });
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const char* const bytes = reinterpret_cast<const char*>(data);
  input = {bytes, size};
  if (chosen->from_file) write_scratch(bytes, size);
  try {
    chosen->read();
  } catch (const Error& error) {
    const std::string_view message = error.what();
    if (message.empty() || message.find('\n') != std::string_view::npos) broken("an error is one line");
  }
  return 0;
}
