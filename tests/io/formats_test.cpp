// Every format both ways, over the list of formats: a new one is tested at once.

#include "temp_folder.hpp"
#include "tensors.hpp"

#include <polyad/base/error.hpp>
#include <polyad/io/format.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>

#include <limits>

namespace polyad {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A format under one of its names.
struct Named {
  const FileFormat* format;
  std::string extension;
};

void PrintTo(const Named& named, std::ostream* out) {
  *out << named.extension;
}

// Every extension, text also compressed; only formats that are read back.
std::vector<Named> named_formats(bool models) {
  std::vector<Named> out;
  for (const FileFormat* format : all_formats()) {
    if (models ? format->read_model == nullptr : format->read_tensor == nullptr) continue;
    for (const std::string_view extension : format->extensions) {
      out.push_back({format, std::string(extension)});
      if (format->text) out.push_back({format, std::string(extension) + ".gz"});
      if (format->text) out.push_back({format, std::string(extension) + ".zst"});
    }
  }
  return out;
}

class EveryFormat : public TempFolder, public ::testing::WithParamInterface<Named> {
 protected:
  const FileFormat& format() const { return *GetParam().format; }
  std::string name() const { return path("x" + GetParam().extension); }
  Tensor round_trip(const Tensor& x) {
    write_tensor(name(), x);
    EXPECT_EQ(format_of(InputFile(name())), &format()) << "recognised by content";
    EXPECT_EQ(what_file_holds(name()), FileHolds::tensor);
    return read_tensor(name());
  }
  Tensor labelled(Tensor x) {
    Labels labels(x.space().modes());
    if (format().labels) {
      labels.mode(0) = {"Tag: Ü", {}};
      for (std::size_t i = 0; i < x.space().extent(0); ++i) {
        labels.mode(0).entries.push_back(i == 0 ? "東京, \"x\"" : i == 1 ? "𝄞" : fmt::format("nr {}", i));
      }
      labels.mode(2).name = "wide";
    }
    x.set_labels(labels);
    return x;
  }
};

TEST_P(EveryFormat, DenseRoundTripIsExact) {
  if (format().dense != KeepsDense::yes) return;
  for (const bool missing : {false, true}) {
    const Tensor x = labelled(awkward_dense(missing));
    expect_same_tensor(round_trip(x), x);
  }
}

TEST_P(EveryFormat, ADenseTensorAsAListHasTheSameCells) {
  if (format().dense != KeepsDense::as_list) return;
  const Tensor x = awkward_dense(false);
  const Tensor y = round_trip(x);
  ASSERT_TRUE(y.is_sparse());
  ASSERT_EQ(y.space(), x.space());
  const std::map<Cell, double> entries = entries_of(y);
  for (std::uint64_t cell = 0; cell < x.dense()->cells(); ++cell) {
    Cell index(x.space().modes());
    x.dense()->index_of(cell, index);
    const auto found = entries.find(index);
    EXPECT_EQ(found == entries.end() ? 0.0 : found->second, x.dense()->value(cell));
  }
}

TEST_P(EveryFormat, SparseRoundTripIsExact) {
  if (!format().sparse) {
    EXPECT_THAT(error_of([&] { round_trip(awkward_sparse()); }, ErrorKind::usage),
                HasSubstr("is for dense tensors and this one is sparse"));
    return;
  }
  const Tensor x = labelled(awkward_sparse());
  expect_same_tensor(round_trip(x), x);
  if (format().unlisted_missing) {
    const Tensor y = labelled(awkward_sparse(Unlisted::missing));
    expect_same_tensor(round_trip(y), y);
  } else {
    EXPECT_THAT(error_of([&] { round_trip(awkward_sparse(Unlisted::missing)); }, ErrorKind::usage),
                HasSubstr("no place for cells that are missing; write .h5 instead"));
  }
}

TEST_P(EveryFormat, NothingListed) {
  if (!format().sparse) return;
  const Tensor x(SparseTensor(IndexSpace({3, 4}), Records(2)));
  expect_same_tensor(round_trip(x), x);
}

TEST_P(EveryFormat, SixteenModes) {
  if (!format().sparse) return;
  Records records(16);
  std::vector<Index> index(16);
  for (Index k = 0; k < 16; ++k) index[k] = k % 3;
  records.append(index.data(), 2.5);
  const Tensor x(SparseTensor(IndexSpace(std::vector<std::uint64_t>(16, 3)), std::move(records)));
  expect_same_tensor(round_trip(x), x);
}

TEST_P(EveryFormat, WeightsAreKeptOrRefused) {
  std::vector<Tensor> weighted;
  if (format().sparse) {
    SparseTensor zeros(IndexSpace({2, 2}), records_of(2, {{{0, 0}, 1}}));
    zeros.set_zero_weight(0.5);
    SparseTensor missing(IndexSpace({2, 2}), records_of(2, {{{0, 0}, 1}}));
    missing.set_missing(records_of(2, {{{1, 1}, 1}}));
    weighted.emplace_back(std::move(zeros));
    weighted.emplace_back(std::move(missing));
  }
  if (format().dense == KeepsDense::yes) {
    DenseTensor dense(IndexSpace({2, 2}), {1, 2, 3, 4});
    dense.set_weights({1, 0.5, 2, 1});
    weighted.emplace_back(std::move(dense));
  }
  ASSERT_FALSE(weighted.empty());
  for (const Tensor& x : weighted) {
    if (format().weights) {
      expect_same_tensor(round_trip(x), x);
      continue;
    }
    EXPECT_THAT(error_of([&] { round_trip(x); }, ErrorKind::usage), HasSubstr("has no place for"));
    EXPECT_EQ(files(), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryFormat, ::testing::ValuesIn(named_formats(false)));

class EveryModelFormat : public TempFolder, public ::testing::WithParamInterface<Named> {};

TEST_P(EveryModelFormat, RoundTripIsExact) {
  ModelFile file;
  Factors factors({5, 3, 1}, 3);
  double next = 0.1;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < factors.rows(k); ++i) {
      for (std::size_t j = 0; j < 3; ++j) factors.at(k, i, j) = next *= -1.7;
    }
  }
  factors.at(0, 0, 0) = 5e-324;
  file.model = KTensor(factors);
  file.model.weights = {1e300, 0, 2.5};
  const bool labels = GetParam().format->labels;
  file.labels = labels ? Labels({{"day", {"Mo", "Tü", "We", "Th", "Fr"}}, {"", {"a", "b", "c"}}, {}}) : Labels(3);
  const std::string name = path("m" + GetParam().extension);
  write_model(name, file);
  EXPECT_EQ(what_file_holds(name), FileHolds::model);
  const ModelFile back = read_model(name);
  EXPECT_EQ(back.model, file.model);
  EXPECT_EQ(back.labels, file.labels);
  EXPECT_THAT(error_of([&] { read_tensor(name); }, ErrorKind::data), HasSubstr(name));
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryModelFormat, ::testing::ValuesIn(named_formats(true)));

class Outputs : public TempFolder {
 protected:
  std::string refused(const std::string& name, FileHolds what) {
    const std::string message = error_of([&] { check_output(path(name), what); }, ErrorKind::usage);
    const std::string written = error_of(
        [&] {
          if (what == FileHolds::model) {
            ModelFile file;
            file.model = KTensor(Factors({2, 2}, 1));
            write_model(path(name), file);
          } else {
            write_tensor(path(name), awkward_dense(false));
          }
        },
        ErrorKind::usage);
    EXPECT_EQ(written, message);
    EXPECT_EQ(files(), 0u);
    return message;
  }
};

TEST_F(Outputs, AnExtensionWithoutAFormatIsRefusedWithTheListOfThoseThatWork) {
  for (const char* name : {"m.json", "a.xlsx", "model", "x.h5.bak", "x.gz", ".zst"}) {
    for (const FileHolds what : {FileHolds::tensor, FileHolds::model}) {
      const std::string message = refused(name, what);
      for (const FileFormat* format : all_formats()) {
        const bool works = what == FileHolds::model ? format->write_model != nullptr : format->write_tensor != nullptr;
        for (const std::string_view extension : format->extensions) {
          const std::string listed = " " + std::string(extension);
          EXPECT_EQ(message.find(listed + ",") != std::string::npos || message.find(listed + " ") != std::string::npos,
                    works)
              << name << extension;
        }
      }
    }
  }
}

TEST_F(Outputs, AFormatThatHoldsNoModelsIsNamed) {
  EXPECT_THAT(refused("m.npy", FileHolds::model), HasSubstr(".npy does not hold a model; use .h5"));
  EXPECT_THAT(refused("m.tns.gz", FileHolds::model), HasSubstr(".tns does not hold a model"));
}

TEST_F(Outputs, OnlyTextIsCompressed) {
  EXPECT_THAT(refused("x.h5.gz", FileHolds::tensor), HasSubstr("only text is; leave .gz out"));
  EXPECT_THAT(refused("x.npz.zst", FileHolds::model), HasSubstr("only text is; leave .zst out"));
}

TEST_F(Outputs, CapitalsMeanTheSame) {
  write_tensor(path("X.NPY"), awkward_dense(false));
  EXPECT_EQ(format_of(InputFile(path("X.NPY")))->word, "npy");
}

TEST(FormatList, WordsAndExtensionsAreUnique) {
  std::map<std::string_view, int> seen;
  for (const FileFormat* format : all_formats()) {
    ++seen[format->word];
    EXPECT_FALSE(format->name.empty() || format->what.empty() || format->help.empty());
    for (const std::string_view extension : format->extensions) ++seen[extension];
  }
  for (const auto& [word, count] : seen) EXPECT_EQ(count, 1) << word;
}

// Lists that are not C++: the fuzzers' and what they start from.
TEST(FormatList, EveryFormatThatIsReadIsFuzzed) {
  const auto text_of_file = [](const std::string& name) {
    std::ifstream in(std::string(POLYAD_SOURCE_DIR) + "/" + name);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string targets = text_of_file("tests/fuzz/CMakeLists.txt");
  const std::string script = text_of_file("scripts/fuzz");
  const std::string seeds = text_of_file("tests/fuzz/make_seeds.py");
  for (const FileFormat* format : all_formats()) {
    if (format->read_tensor == nullptr) continue;
    const std::string word(format->word);
    EXPECT_THAT(targets, HasSubstr(word));
    EXPECT_THAT(script, HasSubstr(word));
    EXPECT_THAT(seeds, HasSubstr("\"" + word + "\""));
  }
}

class Recognition : public TempFolder {};

TEST_F(Recognition, WhatIsNotReadIsNamed) {
  const auto refused = [&](const std::string& bytes) {
    return error_of([&] { read_tensor(write("x", bytes)); }, ErrorKind::data);
  };
  EXPECT_THAT(refused("\xfd"
                      "7zXZ and so on"),
              HasSubstr("is compressed by xz; polyad reads .h5"));
  EXPECT_THAT(refused("%PDF-1.4"), HasSubstr("is a PDF document"));
  EXPECT_THAT(refused("# Created by Octave 7.3\n1 1 1\n"), HasSubstr("Octave's own text"));
}

class MatFormat : public TempFolder {};

TEST_F(MatFormat, Version73RoundTrip) {
  const Tensor sparse = awkward_sparse();
  write_tensor(path("x.mat"), sparse, {.mat_version_73 = true});
  EXPECT_TRUE(bytes_of(path("x.mat")).starts_with("MATLAB 7.3"));
  expect_same_tensor(read_tensor(path("x.mat")), sparse);
  const Tensor dense = awkward_dense(true);
  write_tensor(path("y.mat"), dense, {.mat_version_73 = true});
  expect_same_tensor(read_tensor(path("y.mat")), dense);
}

}  // namespace
}  // namespace polyad
