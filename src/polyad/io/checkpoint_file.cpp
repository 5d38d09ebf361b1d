#include <polyad/base/error.hpp>
#include <polyad/io/checkpoint_file.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/hdf5/parts.hpp>
#include <polyad/io/hdf5/reader.hpp>
#include <polyad/io/hdf5/trailer.hpp>
#include <polyad/io/hdf5/writer.hpp>
#include <polyad/io/input_file.hpp>
#include <polyad/io/isolated/pack.hpp>
#include <polyad/io/isolated/reader.hpp>
#include <polyad/io/messages.hpp>

#include <array>

namespace polyad {
namespace {

// Which arrays a start may have.
constexpr std::array<const char*, 5> array_names = {"factors", "best", "first", "second", "peak"};

void write_vector(Hdf5Writer& file, const std::string& name, const std::vector<double>& values) {
  const std::uint64_t shape[] = {values.size()};
  file.dataset(name, values, shape);
}

std::vector<double> read_vector(const Hdf5Reader& file, const std::string& name) {
  const auto dataset = file.open(name);
  std::vector<double> values(dataset.elements);
  file.read(dataset, values.data());
  return values;
}

}  // namespace

void write_checkpoint(const std::string& path, const CheckpointFile& file) {
  Hdf5Writer out(path, "checkpoint");
  for (const auto& [group, json] : {std::pair("/identity", &file.identity), std::pair("/options", &file.options)}) {
    out.group(group);
    out.attribute(group, "json", json->dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  out.group("/starts");
  for (std::size_t i = 0; i < file.starts.size(); ++i) {
    const StoredStart& start = file.starts[i];
    const std::string group = fmt::format("/starts/{}", i + 1);
    out.group(group);
    const std::uint64_t number[] = {start.start};
    out.attribute(group, "start", number);
    write_vector(out, group + "/numbers", start.numbers);
    for (const auto& [name, values] : start.arrays) write_vector(out, fmt::format("{}/{}", group, name), values);
    write_hdf5_trace(out, group + "/trace", start.trace);
  }
  out.commit();
}

CheckpointFile read_hdf5_checkpoint(const std::string& path) {
  const Hdf5Reader in(path, "checkpoint");
  CheckpointFile file;
  file.identity = read_json_attribute(in, "/identity");
  file.options = read_json_attribute(in, "/options");
  file.starts.resize(in.count_numbered("/starts"));
  for (std::size_t i = 0; i < file.starts.size(); ++i) {
    StoredStart& start = file.starts[i];
    const std::string group = fmt::format("/starts/{}", i + 1);
    start.start = in.list_attribute(group, "start").front();
    start.numbers = read_vector(in, group + "/numbers");
    for (const char* name : array_names) {
      const std::string array = group + "/" + name;
      if (in.has(array)) start.arrays.emplace_back(name, read_vector(in, array));
    }
    start.trace = read_hdf5_trace(in, group + "/trace");
  }
  return file;
}

CheckpointFile read_checkpoint(const std::string& path) {
  return in_file(path, [&] {
    InputFile input(path);
    if (const FileFormat* format = format_of(input); format == nullptr || format->word != "hdf5") {
      fail(ErrorKind::data, "'{}' is {}, not a checkpoint; a fit with `checkpoint` writes one", path,
           format_name(input));
    }
    if (!check_hdf5_trailer(input, TrailerCheck::whole)) {
      fail(ErrorKind::data, "'{}' is not a checkpoint as polyad writes it: its checksum is missing", path);
    }
    IsolatedRead read(input, {.task = "hdf5-checkpoint"}, nullptr);
    return unpack_checkpoint(read.result());
  });
}

}  // namespace polyad
