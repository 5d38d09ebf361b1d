// Files of every format, damaged at random: a reader may succeed or throw polyad::Error, nothing else. The generator is
// seeded, so that a failure can be repeated.

#include "gzip.hpp"
#include "temp_folder.hpp"
#include "tensors.hpp"

#include <polyad/io/format.hpp>
#include <polyad/tensor/tensor.hpp>

#include <functional>
#include <random>

namespace polyad {
namespace {

class Damage : public TempFolder {
 protected:
  std::string damaged(std::string bytes) {
    const std::size_t changes = 1 + generator_() % 4;
    for (std::size_t c = 0; c < changes && !bytes.empty(); ++c) {
      const std::size_t at = generator_() % bytes.size();
      switch (generator_() % 7) {
        case 0:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << generator_() % 8));
          break;
        case 1:
          bytes[at] = static_cast<char>(generator_());
          break;
        case 2:
          bytes.erase(at, 1 + generator_() % 8);
          break;
        case 3:
          bytes.insert(at, bytes.substr(generator_() % bytes.size(), generator_() % 20));
          break;
        case 4:
          bytes.resize(at);
          break;
        case 5:
          bytes[at] = "0123456789-+.eE#x \t\n\r'(),"[generator_() % 25];
          break;
        default:
          bytes.insert(at, std::to_string(generator_()));
          break;
      }
    }
    return bytes;
  }

  /// Every damaged version of an HDF5 file by polyad is refused, thanks to its checksum.
  void expect_all_refused(const std::string& bytes, const std::function<void(const std::string&)>& read) {
    const std::string content = bytes.substr(0, bytes.size() - checksum_bytes);
    const std::string checksum = bytes.substr(content.size());
    for (std::size_t i = 0; i < rounds; ++i) {
      const std::string changed = damaged(content);
      if (changed == content) continue;
      EXPECT_NE(error_of([&] { read(write("damaged", changed + checksum)); }, ErrorKind::data), "");
    }
  }

  /// How many damaged files were refused.
  std::size_t refused(const std::string& bytes, const std::function<void(const std::string&)>& read,
                      std::size_t times = rounds) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < times; ++i) {
      const std::string file = write("damaged", damaged(bytes));
      try {
        read(file);
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos) << "names the file: " << error.what();
        ++count;
      }
    }
    return count;
  }

  static constexpr std::size_t rounds = 1500;
  static constexpr std::size_t checksum_bytes = 24;
  std::mt19937 generator_{20200};
};

void read_any(const std::string& path) {
  const Tensor x = read_tensor(path);
  ASSERT_GE(x.observed(), 0);
}

// Over the list of formats. What another process reads is tried a few times only, since each read starts one.
TEST_F(Damage, EveryFormat) {
  for (const FileFormat* format : all_formats()) {
    if (format->read_tensor == nullptr) continue;
    const bool isolated = format->word == "hdf5" || format->word == "mat";
    const std::size_t times = isolated ? 60 : rounds;
    std::vector<std::string> packings{""};
    if (format->text) packings = {"", ".gz", ".zst"};
    for (const std::string& packing : packings) {
      const std::string name = path("x" + std::string(format->extensions[0]) + packing);
      if (format->sparse) {
        write_tensor(name, awkward_sparse());
        EXPECT_GT(refused(bytes_of(name), read_any, times), times / 10) << name;
      }
      if (format->dense == KeepsDense::yes) {
        write_tensor(name, awkward_dense(true));
        EXPECT_GT(refused(bytes_of(name), read_any, times), times / 10) << name;
      }
    }
  }
}

TEST_F(Damage, CountedText) {
  EXPECT_GT(refused("3\n4 5 6\n3\n1 2 3 4.5\n4 5 6 1\r\n# c\n\n1 1 1 1e3\n", read_any), rounds / 10);
}

TEST_F(Damage, Hdf5) {
  SparseTensor sparse(IndexSpace({2, 4, 3}), records_of(3, {{{0, 1, 2}, 1.5}, {{1, 3, 0}, -2}, {{1, 0, 0}, 4}}));
  sparse.set_weights(records_of(3, {{{0, 1, 2}, 0.3}}));
  sparse.set_missing(records_of(3, {{{1, 1, 1}, 1}}));
  write_tensor(path("s.h5"), {sparse, Labels({{"day", {"Mo", "Tu"}}, {}, {"last", {"x", "y", "z"}}})});
  expect_all_refused(bytes_of(path("s.h5")), read_any);
  write_tensor(path("d.h5"), awkward_dense(true));
  expect_all_refused(bytes_of(path("d.h5")), read_any);
}

TEST_F(Damage, Model) {
  ModelFile file;
  file.model = KTensor(Factors({5, 3, 4}, 3));
  file.labels = Labels({{"day", {"Mo", "Tu", "We", "Th", "Fr"}}, {}, {}});
  file.traces = {{{0, 0.0, 10.5, 0.01, true}}};
  write_model(path("m.h5"), file);
  const auto read = [](const std::string& name) { read_model(name); };
  expect_all_refused(bytes_of(path("m.h5")), read);
}

TEST_F(Damage, CellsAndLabels) {
  const IndexSpace space({4, 5});
  const auto cells = [&](const std::string& name) { read_cells(name, space, {}); };
  EXPECT_GT(refused("1 2\n4 5\n3 3\n", cells), rounds / 10);
  const auto labels = [&](const std::string& name) { read_labels(name); };
  EXPECT_GT(refused("Köln\nMünchen\n東京\n", labels), rounds / 10);
}

}  // namespace
}  // namespace polyad
