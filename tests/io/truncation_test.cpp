// Files cut at every byte: an error, never a tensor. The exceptions are text formats that do not say how much they hold; what a
// cut one gives is then the beginning of what the whole one gives (docs/reliability.md).

#include "gzip.hpp"
#include "temp_folder.hpp"
#include "tensors.hpp"

#include <polyad/files.hpp>
#include <polyad/io/format.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>

#include <functional>

namespace polyad {
namespace {

using ::testing::HasSubstr;

class Truncation : public TempFolder {
 protected:
  /// The sizes at which a cut file is read without an error.
  std::vector<std::size_t> accepted(const std::string& bytes, const std::function<void(const std::string&)>& read,
                                    std::size_t places = 0) {
    std::vector<std::size_t> out;
    const std::size_t step = places == 0 ? 1 : bytes.size() / places + 1;
    for (std::size_t size = 0; size < bytes.size(); size += step) {
      try {
        read(write("cut", bytes.substr(0, size)));
        out.push_back(size);
      } catch (const Error& error) {
        EXPECT_NE(error.kind(), ErrorKind::file) << size << ": " << error.what();
        EXPECT_THAT(error.what(), HasSubstr("cut"));
      }
    }
    return out;
  }
  /// `places`: how many cuts to try; 0: at every byte. `behind`: bytes at the end that others may leave out.
  void expect_every_cut_refused(const std::string& name, const std::function<void(const std::string&)>& read,
                                std::size_t places = 0, std::size_t behind = 0) {
    read(path(name));
    const std::string bytes = bytes_of(path(name));
    for (const std::size_t size : accepted(bytes, read, places)) EXPECT_GE(size + behind, bytes.size()) << name;
  }

  // Behind what the HDF5 library reads: 48 bytes for large arrays, 24 for the whole file.
  static constexpr std::size_t checksum_bytes = 72;
};

void read_as_tensor(const std::string& path) {
  (void)read_tensor(path);
}
void read_as_model(const std::string& path) {
  (void)read_model(path);
}

Tensor small_sparse(bool empty = false) {
  Labels labels({{"day", {"Mo", " Tu"}}, {}, {"last", {"12", "123", "z\n"}}});
  return {SparseTensor(IndexSpace({2, 4, 3}),
                       empty ? Records(3) : records_of(3, {{{0, 1, 2}, 1.25}, {{1, 3, 0}, -2}, {{1, 0, 0}, 123}})),
          labels};
}

Tensor small_dense() {
  return Tensor(DenseTensor(IndexSpace({2, 3}), {1, 2.5, -3, 4, 5, 1234}));
}

ModelFile small_model() {
  ModelFile file;
  file.model = KTensor(Factors({3, 2}, 2));
  for (double& value : file.model.factors.flat()) value = 12.5;
  file.model.weights = {1, 22};
  file.labels = Labels({{"day", {"Mo", "Tu", "We"}}, {}});
  return file;
}

// Over the list of formats. What another process reads is cut at some sixty places only, since each read starts one.
TEST_F(Truncation, FilesThatPolyadWrote) {
  for (const FileFormat* format : all_formats()) {
    if (format->read_tensor == nullptr) continue;
    const bool isolated = format->word == "hdf5" || format->word == "mat";
    std::vector<std::string> packings{""};
    if (format->text) packings = {"", ".gz", ".zst"};
    for (const std::string& packing : packings) {
      const std::string name = "x" + std::string(format->extensions[0]) + packing;
      const auto cut = [&](const std::function<void(const std::string&)>& read) {
        expect_every_cut_refused(name, read, isolated ? 60 : 0, format->word == "hdf5" ? checksum_bytes : 0);
      };
      for (const bool empty : {false, true}) {
        if (!format->sparse) break;
        write_tensor(path(name), small_sparse(empty));
        cut(read_as_tensor);
      }
      if (format->dense != KeepsDense::no) {
        write_tensor(path(name), small_dense());
        cut(read_as_tensor);
      }
      if (format->read_model != nullptr) {
        write_model(path(name), small_model());
        cut(read_as_model);
      }
    }
  }
}

// Also where the text itself does not say how much it holds, and for the kind of text that polyad does not write.
TEST_F(Truncation, FilesOfOthers) {
  write("f.tns.gz", gzipped("1 1 5\n2 2 6\n"));
  expect_every_cut_refused("f.tns.gz", read_as_tensor);
  write("x.matrix", "matrix\n2\n2 2\n1 2\n3 45\n");
  expect_every_cut_refused("x.matrix", read_as_tensor);
}

// A header with the number of entries is as good as polyad's own, but for one place: extents without anything behind them are a
// tensor of zeros.
TEST_F(Truncation, CountedTns) {
  const std::string header = "2\n4 5\n";
  EXPECT_EQ(accepted(header + "2\n1 2 45\n4 5 67\n", read_as_tensor), std::vector<std::size_t>{header.size()});
}

// A foreign list says nothing about its end: a cut file gives the first entries, and where the cut is within the last line a remark
// says so.
TEST_F(Truncation, ForeignTnsGivesTheFirstEntries) {
  const std::string text = "1 1 12\n2 2 34\n3 3 56\n";
  for (const std::size_t size : accepted(text, read_as_tensor)) {
    Remarks remarks;
    const Tensor x = read_tensor(write("cut", text.substr(0, size)), {}, &remarks);
    const bool at_line_end = text[size - 1] == '\n';
    EXPECT_EQ(std::ranges::count(remarks, "the last line has no end: is the file complete?"), at_line_end ? 0 : 1)
        << size;
    const std::size_t whole =
        static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(size), '\n'));
    EXPECT_EQ(x.sparse()->listed(), whole + (at_line_end ? 0 : 1));
  }
}

TEST_F(Truncation, TablesGiveTheFirstRows) {
  const std::string text = "a,b\nx,12\n\"y, z\",34\nw,56\n";
  ImportOptions options;
  options.modes = {"a"};
  options.value = "b";
  const auto read = [&](const std::string& name, ImportReport& report, Remarks* remarks) {
    return import_table(name, options, report, remarks);
  };
  const auto sizes = accepted(text, [&](const std::string& name) {
    ImportReport report;
    (void)read(name, report, nullptr);
  });
  EXPECT_FALSE(sizes.empty());
  for (const std::size_t size : sizes) {
    ImportReport report;
    Remarks remarks;
    (void)read(write("cut", text.substr(0, size)), report, &remarks);
    const bool at_line_end = text[size - 1] == '\n';
    EXPECT_EQ(std::ranges::count(remarks, "the last line has no end: is the table complete?"), at_line_end ? 0 : 1)
        << size;
  }
}

TEST_F(Truncation, LabelsGiveTheFirstLabels) {
  const std::string text = "Köln\nBonn\n東京\n";
  const std::vector<std::string> whole = read_labels(write("labels", text));
  for (const std::size_t size : accepted(text, [](const std::string& name) { (void)read_labels(name); })) {
    const std::vector<std::string> cut = read_labels(write("cut", text.substr(0, size)));
    ASSERT_LE(cut.size(), whole.size());
    for (std::size_t i = 0; i + 1 < cut.size(); ++i) EXPECT_EQ(cut[i], whole[i]);
    EXPECT_TRUE(whole[cut.size() - 1].starts_with(cut.back()));
  }
}

}  // namespace
}  // namespace polyad
