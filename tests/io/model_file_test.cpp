#include "temp_folder.hpp"

#include <polyad/base/error.hpp>
#include <polyad/io/model_file.hpp>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <limits>

namespace polyad {
namespace {

using ::testing::HasSubstr;

class ModelFileTest : public TempFolder {};

ModelFile example() {
  ModelFile file;
  file.model = KTensor(Factors({5, 3, 4}, 3));
  file.model.weights = {1.5, 0.1, -2e-300};
  double next = 0.1;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < file.model.factors.rows(k); ++i) {
      for (std::size_t j = 0; j < 3; ++j) file.model.factors.at(k, i, j) = next = 1.7 * next - 0.03;
    }
  }
  file.labels = Labels({{"day", {"Mo", "Tu", "We", "Th", "Fr"}}, {"", {}}, {"Ort", {"Köln", "", "東京", "a b"}}});
  file.options->json = Json{{"rank", 3}, {"loss", "huber:delta=0.5"}, {"rate", 0.1}};
  file.summary->json = Json{{"why", "relative change"}, {"estimates", {1.0, 2.5e-17}}};
  file.traces = {{{0, 0.0, 10.5, 0.01, true}, {1, 0.25, std::numeric_limits<double>::infinity(), 0.01, false}}, {}};
  file.diagnostics->json = Json{{"loss", 12.5}, {"exact", true}};
  for (std::size_t k = 0; k < 3; ++k) {
    auto& slices = file.slices.emplace_back();
    for (std::size_t i = 0; i < file.model.factors.rows(k); ++i)
      slices.push_back({next, -next, 0.1, 2.0 * next, 1e300});
  }
  return file;
}

void expect_same(const ModelFile& a, const ModelFile& b) {
  EXPECT_EQ(a.model, b.model);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.options->json, b.options->json);
  EXPECT_EQ(a.summary->json, b.summary->json);
  EXPECT_EQ(a.traces, b.traces);
  EXPECT_EQ(a.diagnostics->json, b.diagnostics->json);
  EXPECT_EQ(a.slices, b.slices);
}

TEST_F(ModelFileTest, DiagnosticsAreOptionalAndMustFitTheModel) {
  ModelFile file = example();
  file.diagnostics->json = Json::object();
  file.slices.clear();
  write_model(path("without.h5"), file);
  expect_same(read_model(path("without.h5")), file);
  file = example();
  file.slices[1].pop_back();
  write_model(path("short.h5"), file);
  EXPECT_THAT(error_of([&] { read_model(path("short.h5")); }, ErrorKind::data), HasSubstr("/diagnostics/slices/2"));
  file.slices.pop_back();
  write_model(path("few.h5"), file);
  EXPECT_THAT(error_of([&] { read_model(path("few.h5")); }, ErrorKind::data), HasSubstr("/diagnostics/slices"));
}

TEST_F(ModelFileTest, RoundTripIsExact) {
  const ModelFile file = example();
  write_model(path("m.h5"), file);
  expect_same(read_model(path("m.h5")), file);
  EXPECT_EQ(files(), 1u);
}

TEST_F(ModelFileTest, SameContentGivesSameBytes) {
  write_model(path("a.h5"), example());
  write_model(path("b.h5"), example());
  EXPECT_EQ(bytes_of(path("a.h5")), bytes_of(path("b.h5")));
}

TEST_F(ModelFileTest, LabelsAreOptionalAndJsonMayBeLong) {
  ModelFile file = example();
  file.labels = Labels();
  file.traces.clear();
  file.summary->json["text"] = std::string(300000, 'x');
  write_model(path("m.h5"), file);
  file.labels = Labels(3);
  expect_same(read_model(path("m.h5")), file);
}

TEST_F(ModelFileTest, ManyModesAndManyLabels) {
  ModelFile file;
  file.model = KTensor(Factors(std::vector<std::uint64_t>(16, 2), 1));
  file.labels = Labels(16);
  for (std::size_t k = 0; k < 16; ++k) file.labels.mode(k) = {std::string(k + 1, 'm'), {"x", std::string(9000, 'y')}};
  write_model(path("m.h5"), file);
  expect_same(read_model(path("m.h5")), file);
}

TEST_F(ModelFileTest, LabelsMustFit) {
  ModelFile file = example();
  file.labels.mode(0).entries.pop_back();
  EXPECT_THAT(error_of([&] { write_model(path("m.h5"), file); }, ErrorKind::data), HasSubstr("mode 1 (day)"));
  EXPECT_EQ(files(), 0u);
}

TEST_F(ModelFileTest, SaysWhatAFileIsInstead) {
  const auto message = [&](const std::string& name, const std::string& bytes) {
    return error_of([&] { read_model(write(name, bytes)); }, ErrorKind::data);
  };
  EXPECT_EQ(message("t", "1 1 5\n"),
            fmt::format("'{}' is a text file, not a model; 'polyad fit' makes models from tensors", path("t")));
  EXPECT_THAT(message("e", ""), HasSubstr("is an empty file, not a model"));
  EXPECT_THAT(message("n", "\x93NUMPY\x01"), HasSubstr("is a NumPy array, not a model"));
  EXPECT_THAT(message("z", "\x1f\x8b"), HasSubstr("is compressed by gzip, not a model"));
  EXPECT_THAT(message("p", "PK\x03\x04"), HasSubstr("is a damaged zip archive"));
  EXPECT_THAT(message("h", "\x89HDF\r\n\x1a\n"), HasSubstr("is a damaged HDF5 file"));
  EXPECT_EQ(error_of([&] { read_model(path("none")); }, ErrorKind::file),
            fmt::format("cannot read '{}': No such file or directory", path("none")));
  EXPECT_THAT(error_of([&] { read_model(folder_.string()); }, ErrorKind::file), HasSubstr("it is a folder"));
}

// Where a disk is full the HDF5 library itself would crash at exit; ours reports and leaves the old file.
TEST_F(ModelFileTest, AFullDiskLeavesTheOldModel) {
  write_model(path("m.h5"), example());
  const std::string old = bytes_of(path("m.h5"));
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = error_of([&] { write_model(path("m.h5"), example()); }, ErrorKind::file);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, HasSubstr("File too large"));
  EXPECT_EQ(bytes_of(path("m.h5")), old);
  EXPECT_EQ(files(), 1u);
}

TEST_F(ModelFileTest, EveryTruncationIsAnError) {
  write_model(path("m.h5"), example());
  const std::string whole = bytes_of(path("m.h5"));
  // All but the checksum itself, without which the file is still whole.
  for (std::size_t size = 0; size + 24 < whole.size(); size += 1 + size / 50) {
    EXPECT_NE(error_of([&] { read_model(write("cut.h5", whole.substr(0, size))); }, ErrorKind::data), "") << size;
  }
  expect_same(read_model(write("cut.h5", whole.substr(0, whole.size() - 24))), example());
}

TEST_F(ModelFileTest, EveryFlippedByteIsAnError) {
  write_model(path("m.h5"), example());
  const std::string whole = bytes_of(path("m.h5"));
  for (std::size_t at = 0; at + 24 < whole.size(); at += 7) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    EXPECT_NE(error_of([&] { read_model(write("bad.h5", bytes)); }, ErrorKind::data), "") << at;
  }
}

TEST_F(ModelFileTest, DefaultNameIsThatOfTheDataAndNeverOneThatExists) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(path("."));
  EXPECT_EQ(unused_model_path("data/x.tns.zst"), "x-model.h5");
  EXPECT_EQ(unused_model_path("x.tns.gz"), "x-model.h5");
  EXPECT_EQ(unused_model_path("/far/away/x.h5"), "x-model.h5");
  EXPECT_EQ(unused_model_path("2024.05.npy"), "2024.05-model.h5");
  EXPECT_EQ(unused_model_path("x"), "x-model.h5");
  write_model("x-model.h5", example());
  EXPECT_EQ(unused_model_path("x.tns"), "x-model-2.h5");
  std::filesystem::current_path(before);
}

TEST_F(ModelFileTest, NotesAreJsonText) {
  ModelFile file = example();
  EXPECT_EQ(Notes::from_text(file.options.text())->json, file.options->json);
  const Notes copy = file.options;
  file.options->json["rank"] = 4;
  EXPECT_EQ(copy->json["rank"], 3);
  for (const char* text : {"", "[1]", "{", "7"}) EXPECT_THROW((void)Notes::from_text(text), Error) << text;
}

}  // namespace
}  // namespace polyad
